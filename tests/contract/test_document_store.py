"""DocumentStore: every version is kept, and the newest applies."""

from datetime import timedelta

import pytest

from scheduler.core.documents.document import Document
from scheduler.errors.internal import StaleDocument
from scheduler.ports.config_store import DocumentStore
from support.builders.jobs import NOON
from support.dynamodb.stores import Stores


@pytest.fixture
def rules(stores: Stores) -> DocumentStore:
    return stores.rules


def a_version(number: int, text: str = '{"format": 1}') -> Document:
    return Document(number, text, "arn:aws:iam::123456789012:user/ada", NOON + timedelta(hours=number))


def test_there_is_no_document_at_first(rules: DocumentStore) -> None:
    assert rules.latest() is None


def test_the_newest_version_applies_with_its_exact_text(rules: DocumentStore) -> None:
    for number in range(1, 12):
        rules.add(a_version(number, f'{{"format": 1}}{chr(10) * number}'), by="api")
    assert rules.latest() == a_version(11, '{"format": 1}' + "\n" * 11)


def test_a_version_is_written_once(rules: DocumentStore) -> None:
    rules.add(a_version(1, "first"), by="api")
    with pytest.raises(StaleDocument):
        rules.add(a_version(1, "second"), by="api")
    assert rules.latest() == a_version(1, "first")


def test_each_kind_has_versions_of_its_own(stores: Stores) -> None:
    stores.rules.add(a_version(1, "rules"), by="api")
    assert stores.callers.latest() is None
    stores.callers.add(a_version(1, "callers"), by="api")
    assert stores.rules.latest() == a_version(1, "rules")
