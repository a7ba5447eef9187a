"""Keeps the operators' settings in the table: the controls in one item, and each version of a document in its own."""

from dataclasses import dataclass, replace

from scheduler.adapters.dynamodb.records.items import (
    controls_key,
    document_key,
    document_partition,
    readable_controls,
    readable_document,
)
from scheduler.adapters.dynamodb.records.record_converter import converter, record
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, put
from scheduler.core.documents.controls import Controls
from scheduler.core.documents.document import Document, DocumentKind
from scheduler.errors.internal import StaleControls, StaleDocument


@dataclass(frozen=True, slots=True)
class DynamoDBControlStore:
    table: Table

    def read(self) -> Controls:
        item = self.table.item(controls_key())
        return readable_controls(item) if item else Controls()

    def write(self, controls: Controls, *, by: str) -> Controls:
        written = replace(controls, version=controls.version + 1)
        item = controls_key() | record(converter.unstructure(written), by)
        unchanged, version = f"{ABSENT} OR #version = :version", {":version": controls.version}
        if not self.table.write(put(item, unchanged, version, names={"#version": "version"})):
            raise StaleControls(f"version {controls.version}")
        return written


@dataclass(frozen=True, slots=True)
class DynamoDBDocumentStore:
    table: Table
    kind: DocumentKind

    def latest(self) -> Document | None:
        found = self.table.last(document_partition(self.kind), 1, consistent=True)
        return readable_document(found[0]) if found else None

    def add(self, document: Document, *, by: str) -> None:
        item = document_key(self.kind, document.version) | record(converter.unstructure(document), by)
        if not self.table.add(item):
            raise StaleDocument(f"{self.kind} {document.version}")
