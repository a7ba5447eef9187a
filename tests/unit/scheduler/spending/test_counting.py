"""The spending counts that an attempt adds to."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.spending.limits import Scope, ScopeKind, every_scope_of
from scheduler.core.spending.spent_time import (
    SpentTime,
    SpentTimeKey,
    added_by_attempt,
    added_by_pool,
    month_of,
    scopes_of,
    shares,
    totals_with,
)
from support.builders.jobs import GPU, a_job
from support.builders.spending import the_limits

ADA = Scope(ScopeKind.OWNER, "role/Scientist")
RULES = the_limits({"owner": "*", "gpu_hours": 10})
BERLIN = ZoneInfo("Europe/Berlin")
TWO = Demand.of({GPU: 2})
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def past(begins: datetime = NOON, hours: float = 2, **more: Any) -> EndedAttempt:
    values = {"outcome": Outcome.COMPLETED, "training_started_at": begins, **more}
    return EndedAttempt(name="a-sq-1", number=1, reserved_at=begins, ended_at=begins + hours * HOUR, **values)


def added(attempt: EndedAttempt) -> dict[SpentTimeKey, SpentTime]:
    return added_by_attempt(a_job(demand=TWO), attempt, [ADA], RULES)


def test_an_attempt_is_counted_with_what_it_trained_and_what_is_billed() -> None:
    assert added(past(billable_seconds=1800)) == {SpentTimeKey("2026-11", ADA): SpentTime({GPU: 14400}, {GPU: 3600})}


def test_without_billable_seconds_all_seconds_count_as_billed() -> None:
    assert added(past()) == {SpentTimeKey("2026-11", ADA): SpentTime({GPU: 14400}, {GPU: 14400})}


def test_an_untrained_attempt_counts_nothing_and_a_vanished_one_all_its_time() -> None:
    assert added(past(training_started_at=None, outcome=Outcome.NEVER_STARTED)) == {}
    assert added(past(training_started_at=None, outcome=Outcome.VANISHED))[SpentTimeKey("2026-11", ADA)].held == {
        GPU: 14400
    }


def test_an_attempt_over_the_end_of_a_month_is_split() -> None:
    begins = datetime(2026, 11, 30, 23, tzinfo=UTC)
    found = added(past(begins, hours=4, billable_seconds=3600))
    assert {key.month: spent.held[GPU] / 7200 for key, spent in found.items()} == {"2026-11": 1, "2026-12": 3}
    assert sum(spent.billed[GPU] for spent in found.values()) == pytest.approx(7200)


def test_months_are_those_of_the_time_zone() -> None:
    begins = datetime(2026, 11, 30, 22, 30, tzinfo=UTC)  # half an hour before December in Berlin
    assert dict(shares(begins, begins + HOUR, BERLIN)) == {"2026-11": 0.5, "2026-12": 0.5}
    december = month_of(begins + HOUR, BERLIN)
    assert (december.name, december.ends.isoformat()) == ("2026-12", "2027-01-01T00:00:00+01:00")


def test_a_month_in_which_the_clock_changes_has_all_its_hours() -> None:
    begins = datetime(2026, 10, 1, tzinfo=BERLIN)
    parts = dict(shares(begins, datetime(2026, 11, 1, tzinfo=BERLIN) + HOUR, BERLIN))
    assert parts["2026-10"] == pytest.approx(745 / 746)


def test_a_pool_counts_from_the_end_of_its_attempt_on() -> None:
    found = added_by_pool(TWO, NOON, 600, [ADA], RULES)
    assert found == {SpentTimeKey("2026-11", ADA): SpentTime({GPU: 1200}, {GPU: 1200})}


def test_only_limited_scopes_are_counted() -> None:
    job = a_job(tags=(("project", "moon"), ("stage", "dev")))
    rules = the_limits(
        {"owner": "role/Other", "dollars": 1}, {"team": "*", "dollars": 1}, {"tag": "project", "dollars": 1}
    )
    assert scopes_of(job, "vision", rules) == [Scope(ScopeKind.TEAM, "vision"), Scope(ScopeKind.TAG, "project=moon")]
    assert scopes_of(job, "", rules) == [Scope(ScopeKind.TAG, "project=moon")]


def test_two_limits_on_one_scope_count_it_once() -> None:
    rules = the_limits({"owner": "*", "dollars": 1}, {"owner": "role/Scientist", "gpu_hours": 1})
    assert scopes_of(a_job(), "", rules) == [ADA]


def test_while_the_limits_cannot_be_read_every_scope_is_counted() -> None:
    job = a_job(tags=(("project", "moon"),))
    assert scopes_of(job, "vision", None) == [
        ADA,
        Scope(ScopeKind.TEAM, "vision"),
        Scope(ScopeKind.TAG, "project=moon"),
    ]


def test_counts_grow_and_one_that_cannot_be_read_stays() -> None:
    one, other = SpentTimeKey("2026-11", ADA), SpentTimeKey("2026-12", ADA)
    more = SpentTime({GPU: 5}, {GPU: 5})
    assert totals_with({one: SpentTime({GPU: 1, "x": 2}, {GPU: 1})}, {one: more}) == {
        one: SpentTime({GPU: 6, "x": 2}, {GPU: 6})
    }
    assert totals_with({one: None}, {one: more, other: more}) == {other: more}


@pytest.mark.parametrize("limited", ["project", "project=" + "\U00020000" * 256])
def test_the_longest_tag_fits_the_tables_keys(limited: str) -> None:
    """Letters of four bytes: 1,024 of them are as much as a whole key may have."""
    job, other = (a_job(tags=(("project", "\U00020000" * count),)) for count in (256, 255))
    rules = the_limits({"tag": limited, "gpu_hours": 1})
    (scope,) = scopes_of(job, "", rules)
    assert len(scope.name.encode()) <= 900
    assert rules.limits[0].applies_to(scope)
    assert scope in every_scope_of(job, "")
    assert scope not in every_scope_of(other, "")
