"""Holds the versions of one kind of document in memory: a replay needs no table."""

from dataclasses import dataclass, field

from scheduler.core.documents.document import Document
from scheduler.errors.internal import StaleDocument


@dataclass
class MemoryDocumentStore:
    versions: dict[int, Document] = field(default_factory=dict)

    def latest(self) -> Document | None:
        return self.versions[max(self.versions)] if self.versions else None

    def add(self, document: Document, *, by: str) -> None:  # noqa: ARG002 - it wakes no function
        if document.version in self.versions:
            raise StaleDocument(f"version {document.version}")
        self.versions[document.version] = document
