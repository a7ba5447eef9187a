"""A document as operators see it: read it, put another one into force. What is in force says what it means."""

from collections.abc import Callable

from attrs import frozen

from scheduler.core.documents.document import Document
from scheduler.errors.config_errors import StaleVersion
from scheduler.errors.internal import StaleDocument
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import DocumentStore


@frozen
class VersionedDocument:
    store: DocumentStore
    clock: Clock
    stale: Callable[[int], StaleVersion]

    def show(self) -> Document | None:
        return self.store.latest()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a document that was accepted into force. Raises StaleVersion if `replaces` is not in force.

        The text that is in force already is no new version: a call may be repeated.
        """
        in_force = self.store.latest()
        if in_force is not None and in_force.text == text:
            return in_force
        version = in_force.version if in_force else 0
        if replaces is not None and replaces != version:
            raise self.stale(replaces)
        document = Document(version + 1, text, caller, self.clock.now())
        try:
            self.store.add(document, by="api")
        except StaleDocument as error:
            in_force = self.store.latest()
            if in_force is None or in_force.text != text:
                raise self.stale(version) from error
            return in_force  # the same call came twice at the same moment, or its answer was lost on the way here
        return document
