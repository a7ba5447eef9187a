"""Edits operators' documents: gets the applied version of a kind, checks another one, applies it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from scheduler.core.documents.document import Document, DocumentKind
from scheduler.errors.config_errors import StaleVersion
from scheduler.errors.internal import StaleDocument
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import DocumentStore

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class DocumentEditor(Generic[_Value]):
    """Edits one kind of document."""

    kind: DocumentKind
    store: DocumentStore
    clock: Clock
    parsed: Callable[[str], _Value]  # parses and checks a new document; raises BadDocument

    def get(self) -> Document | None:
        """Returns the applied version; None if there is none."""
        return self.store.latest()

    def apply(
        self, text: str, caller: str, replaces: int | None = None, check: Callable[[_Value], None] | None = None
    ) -> Document:
        """Applies a document as a whole, unless `check` raises an error.

        Raises BadDocument, or StaleVersion if `replaces` is not the applied version. The text of the applied version
        makes no new version, so that a call may be repeated.
        """
        value = self.parsed(text)
        if check is not None:
            check(value)
        applied = self.store.latest()
        if applied is not None and applied.text == text:
            return applied
        version = applied.version if applied else 0
        if replaces is not None and replaces != version:
            raise StaleVersion(self.kind, replaces)
        document = Document(version + 1, text, caller, self.clock.now())
        try:
            self.store.add(document, by="api")
        except StaleDocument as error:
            applied = self.store.latest()
            if applied is None or applied.text != text:
                raise StaleVersion(self.kind, version) from error
            return applied  # the same call came twice at once, or the answer of the write was lost
        return document
