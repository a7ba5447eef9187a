"""Gets and applies the versions of one operators' document. The editors check its content."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler.core.documents.document import Document
from scheduler.errors.config_errors import StaleVersion
from scheduler.errors.internal import StaleDocument
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import DocumentStore


@dataclass(frozen=True, slots=True)
class VersionedDocument:
    """The versions of one kind of document."""

    store: DocumentStore
    clock: Clock
    stale: Callable[[int], StaleVersion]

    def get(self) -> Document | None:
        """Returns the applied version; None if there is none."""
        return self.store.latest()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Applies a validated document. Raises StaleVersion if `replaces` is not the applied version.

        The text of the applied version makes no new version, so that a call may be repeated.
        """
        applied = self.store.latest()
        if applied is not None and applied.text == text:
            return applied
        version = applied.version if applied else 0
        if replaces is not None and replaces != version:
            raise self.stale(replaces)
        document = Document(version + 1, text, caller, self.clock.now())
        try:
            self.store.add(document, by="api")
        except StaleDocument as error:
            applied = self.store.latest()
            if applied is None or applied.text != text:
                raise self.stale(version) from error
            return applied  # the same call came twice at once, or the answer of the write was lost
        return document
