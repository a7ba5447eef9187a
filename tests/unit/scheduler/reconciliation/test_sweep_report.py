"""A sweep reports the state of the queue and its head."""

from datetime import timedelta

import pytest

from scheduler.core.history.metrics import QueueHead
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.planning import plan
from support.builders.jobs import GPU, NOON
from support.builders.snapshots import a_snapshot, running, waiting

LATER = NOON + timedelta(hours=2)


def _head(*jobs: object, budget: int = 2) -> QueueHead:
    return plan(a_snapshot(budget, *jobs), LATER).queue_head  # type: ignore[arg-type] # jobs and live ones


def test_used_and_free_are_shown_for_each_type_of_the_budget() -> None:
    gauges = a_snapshot(3, running("one", holds=2)).gauges(0, LATER)
    assert (gauges.used[GPU], dict(gauges.free.counts)) == (2, {GPU: 1})
    assert dict(a_snapshot(2, running("one", holds=2)).gauges(0, LATER).free.counts) == {GPU: 0}


def test_a_budget_that_was_shrunk_below_what_is_held_has_nothing_free() -> None:
    assert dict(a_snapshot(1, running("one", holds=2)).gauges(0, LATER).free.counts) == {GPU: 0}


def test_the_oldest_is_the_longest_waiting_job_not_the_next() -> None:
    snapshot = a_snapshot(1, waiting("young", 9, after=60), waiting("old", 1))
    assert snapshot.gauges(2, LATER).oldest_wait == 7200.0


def test_a_job_that_was_preempted_waits_since_then() -> None:
    ended = EndedAttempt("a-sq-1", 1, Outcome.PREEMPTED, NOON, LATER - timedelta(minutes=5))
    assert a_snapshot(1, waiting("a", history=(ended,))).gauges(1, LATER).oldest_wait == 300.0


def test_the_head_is_reported_with_its_reason() -> None:
    head = _head(running("holds", 5, holds=2), waiting("next", 3), waiting("last", 1))
    assert (head.job, head.reason, head.waits_since) == ("next", ReasonCode.WAITS_FOR_BUDGET, NOON)


def test_a_job_that_starts_at_once_is_not_the_head() -> None:
    assert _head(waiting("next", 3)) == QueueHead()


@pytest.mark.parametrize(
    ("head", "is_news"),
    [
        (QueueHead("a", ReasonCode.WAITS_FOR_BUDGET, "free: 1"), False),
        (QueueHead("b", ReasonCode.WAITS_FOR_BUDGET), True),
        (QueueHead("a", ReasonCode.WAITS_FOR_CAPACITY), True),
        (QueueHead(), True),
    ],
)
def test_only_another_job_or_another_reason_is_news(head: QueueHead, is_news: bool) -> None:
    assert head.differs_from(QueueHead("a", ReasonCode.WAITS_FOR_BUDGET, "free: 0")) is is_news


def test_an_empty_queue_is_reported_if_the_last_report_is_unknown() -> None:
    assert QueueHead().differs_from(None)
