"""Stores that read the operators' settings once per call of the API, which asks for them several times."""

from functools import cached_property

from scheduler.core.documents.controls import Controls
from scheduler.core.documents.document import Document
from scheduler.ports.config_store import ControlStore, DocumentStore


class CachedControls:
    """A ControlStore that reads once."""

    def __init__(self, store: ControlStore) -> None:
        self._store = store

    def read(self) -> Controls:
        return self._controls

    def write(self, controls: Controls, *, by: str) -> Controls:
        return self._store.write(controls, by=by)

    @cached_property
    def _controls(self) -> Controls:
        return self._store.read()


class CachedDocument:
    """A DocumentStore that reads once."""

    def __init__(self, store: DocumentStore) -> None:
        self._store = store

    def latest(self) -> Document | None:
        return self._document

    def add(self, document: Document, *, by: str) -> None:
        self._store.add(document, by=by)

    @cached_property
    def _document(self) -> Document | None:
        return self._store.latest()
