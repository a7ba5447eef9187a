"""Two calls apply a document at the same moment: a repeated call, or another document."""

import pytest

from queue_replay.documents import MemoryDocumentStore
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.config.document_editor import DocumentEditor
from scheduler.core.documents.document import Document, DocumentKind
from scheduler.errors.config_errors import StaleVersion
from support.builders.jobs import NOON

MINE, THEIRS = "mine", "theirs"


class OvertakenStore(MemoryDocumentStore):
    """The other call gets there first, between this one's look and its write."""

    def __init__(self, other: str) -> None:
        super().__init__()
        self._other = Document(1, other, "ada", NOON)

    def add(self, document: Document, *, by: str) -> None:
        super().add(self._other, by=by)
        super().add(document, by=by)


def editor(store: MemoryDocumentStore) -> DocumentEditor[str]:
    return DocumentEditor(DocumentKind.RULES, store, SystemClock(), parsed=str)


def test_the_same_document_sent_twice_at_once_is_applied_once() -> None:
    store = OvertakenStore(MINE)
    assert editor(store).apply(MINE, "ada", replaces=0) == store.latest()


def test_another_document_at_the_same_moment_is_not_overwritten() -> None:
    store = OvertakenStore(THEIRS)
    with pytest.raises(StaleVersion, match="no longer at version 0"):
        editor(store).apply(MINE, "bob", replaces=0)
    in_force = store.latest()
    assert in_force is not None
    assert in_force.text == THEIRS
