"""What operators have set, read once for one call: whoever answers it asks several times, moments apart."""

from functools import cached_property

from scheduler.core.documents.controls import Controls
from scheduler.core.documents.document import Document
from scheduler.ports.config_store import ControlStore, DocumentStore


class ControlsReadOnce:
    def __init__(self, store: ControlStore) -> None:
        self._store = store

    def read(self) -> Controls:
        return self._known

    def write(self, controls: Controls, *, by: str) -> Controls:
        return self._store.write(controls, by=by)

    @cached_property
    def _known(self) -> Controls:
        return self._store.read()


class DocumentReadOnce:
    def __init__(self, store: DocumentStore) -> None:
        self._store = store

    def latest(self) -> Document | None:
        return self._known

    def add(self, document: Document, *, by: str) -> None:
        self._store.add(document, by=by)

    @cached_property
    def _known(self) -> Document | None:
        return self._store.latest()
