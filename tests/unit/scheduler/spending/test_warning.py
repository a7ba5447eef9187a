"""The end that brings a use to the share at which its limit warns, or to the limit, is told once."""

import logging
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from builders.jobs import GPU, NOON, a_job
from builders.spending import spending
from scheduler.adapters.memory import MemoryStore
from scheduler.adapters.memory_documents import MemoryDocumentStore
from scheduler.domain.attempt import Outcome, PastAttempt
from scheduler.domain.document import Document
from scheduler.domain.price_snapshot import SNAPSHOT
from scheduler.domain.spending import Scope, ScopeKind
from scheduler.domain.spent import Spent, SpentKey
from scheduler.price_book import Prices
from scheduler.spending_book import SpendingBook

HOUR = 3600.0
ADA = SpentKey("2026-11", Scope(ScopeKind.OWNER, "role/Scientist"))


@pytest.mark.parametrize(
    ("spent_before", "told"), [(1, []), (6.9, []), (7, ["near"]), (8, []), (8.9, []), (9, ["used_up"]), (10, [])]
)
def test_an_hour_more_is_told_where_it_crosses_a_share(
    spent_before: float, told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    limits = MemoryDocumentStore()
    limits.add(Document(1, spending({"owner": "*", "gpu_hours": 10}), "ada", NOON), by="api")
    store = MemoryStore()
    store.counted_spent[ADA] = Spent({GPU: spent_before * HOUR}, {GPU: spent_before * HOUR})
    clock: Any = SimpleNamespace(now=lambda: NOON)
    book = SpendingBook(limits, store, Prices(MemoryDocumentStore(), SNAPSHOT), (), clock)
    past = PastAttempt("a-sq-1", 1, Outcome.COMPLETED, NOON, NOON + timedelta(hours=1), training_started_at=NOON)
    with caplog.at_level(logging.WARNING):
        counts = book.after_end(a_job(history=(past,)))
    assert counts[ADA].held == {GPU: (spent_before + 1) * HOUR}
    assert [record.__dict__["state"] for record in caplog.records] == told
