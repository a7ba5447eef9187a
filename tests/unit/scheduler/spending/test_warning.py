"""Warnings of limits that are nearly used: their recipients and text."""

from decimal import Decimal
from typing import Any

import pytest

from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.spending.limit_use import limit_uses
from scheduler.core.spending.limits import Scope, ScopeKind, UseState
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey, month_of
from scheduler.core.spending.warning import SpendingWarning, warnings_of
from support.builders.jobs import GPU, NOON
from support.builders.spending import the_limits

ADA = Scope(ScopeKind.OWNER, "role/Scientist")
VISION = Scope(ScopeKind.TEAM, "vision")


def warned(
    limit: dict[str, Any], hours: float | None, scope: Scope = ADA, *, starting: float = 0.0, trained: float = 0.0
) -> list[tuple[SpendingWarning, Notice]]:
    rules = the_limits(limit)
    month = month_of(NOON, rules.time_zone)
    ended = None if hours is None else _trained(hours)
    spent, runs = {SpentTimeKey(month.name, scope): ended}, {scope: _trained(starting + trained)}
    found = limit_uses(rules, spent, {scope}, runs, month, {scope: _trained(trained)})
    return list(warnings_of(found, SNAPSHOT, month, NOON))


def _trained(hours: float) -> SpentTime:
    return SpentTime({GPU: hours * 3600}, {GPU: hours * 3600})


@pytest.mark.parametrize(
    ("hours", "states"),
    [(7.9, []), (8, [UseState.NEAR]), (9.9, [UseState.NEAR]), (10, [UseState.USED_UP]), (None, [])],
)
def test_a_warning_is_sent_from_the_limits_warning_share_on(hours: float | None, states: list[UseState]) -> None:
    assert [warning.state for warning, _ in warned({"owner": "*", "gpu_hours": 10}, hours)] == states


def test_an_attempt_that_trains_counts() -> None:
    ((warning, _),) = warned({"owner": "*", "gpu_hours": 10}, 7, trained=1.5)
    assert warning.used == Decimal("8.5")


def test_an_attempt_that_may_never_train_does_not_count() -> None:
    ((warning, _),) = warned({"owner": "*", "gpu_hours": 10}, 8, starting=5)
    assert (warning.state, warning.used) == (UseState.NEAR, Decimal(8))


def test_a_warning_has_a_key_of_its_own_for_each_limit_scope_and_share() -> None:
    limit = {"owner": "*", "gpu_hours": 10}
    ((near, _),), ((used_up, _),) = warned(limit, 8), warned(limit, 10)
    ((raised, _),) = warned({"owner": "*", "gpu_hours": 12}, 10)
    ((paid, _),) = warned({"owner": "*", "dollars": 10}, 10)
    assert len({near.key, used_up.key, raised.key, paid.key}) == 4
    ((later, _),) = warned({"owner": "*", "gpu_hours": 10.0}, 9)
    assert later.key == near.key


def test_the_notice_has_the_use_and_its_consequence() -> None:
    ((_, notice),) = warned({"owner": "*", "gpu_hours": 10}, 8)
    assert (notice.kind, notice.job, notice.owner) == (NoticeKind.SPENDING_LIMIT, "", "role/Scientist")
    used = "owner role/Scientist has used 8.00 of 10 GPU hours this month (spending limit limit-0)."
    assert (notice.reason, notice.state) == (used, "near")
    assert notice.remedy.startswith("Once it is used up, no job starts; an operator can raise the limit")


def test_the_notice_of_a_stopping_limit_says_that_jobs_are_stopped() -> None:
    ((_, notice),) = warned({"owner": "*", "gpu_hours": 10, "then": "stop"}, 10)
    assert "running jobs are stopped after a checkpoint" in notice.remedy


def test_the_notice_of_a_teams_limit_is_for_the_team() -> None:
    ((_, notice),) = warned({"team": "vision", "gpu_hours": 10}, 8, VISION)
    assert (notice.team, notice.owner) == ("vision", "")
