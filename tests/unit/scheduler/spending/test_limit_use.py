"""The use of spending limits, and the jobs that they hold or stop."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.team import Team
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import IMMEDIATE_PREEMPTION, Policy
from scheduler.core.spending.limit_use import limit_uses, running_time_by_scope, status_of
from scheduler.core.spending.limits import Scope, ScopeKind, UseState
from scheduler.core.spending.prices.price import Price, PriceList
from scheduler.core.spending.spending_status import SpendingStatus, team_name
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey, month_of
from support.builders.jobs import GPU, NOON, a_job
from support.builders.snapshots import a_snapshot, running, waiting
from support.builders.spending import the_limits

PRICES = PriceList({GPU: Price(Decimal(2), date(2026, 9, 25), "a list")}, "us-east-1")
ADA = Scope(ScopeKind.OWNER, "role/Scientist")
TEAMS = (Team("vision", ("*",)),)
HOUR = 3600.0
HOURS = {"owner": "*", "gpu_hours": 10}
DOLLARS = {"owner": "*", "dollars": 10}
EVE, BOB = (f"arn:aws:sts::123456789012:assumed-role/{role}/eve" for role in ("Other", "Third"))
CHECKPOINTS = "s3://bucket/checkpoints"


def judged(limit: dict[str, Any], ended: SpentTime | None, *live: LiveJob, now: datetime = NOON) -> SpendingStatus:
    rules = the_limits(limit)
    month = month_of(now, rules.time_zone)
    scopes = {ADA}.union(*(rules.scopes_of(one.job, team_name(one.job, TEAMS)) for one in live))
    running, trained = (
        running_time_by_scope(some, rules, TEAMS, month, now)
        for some in (live, [one for one in live if one.is_known_to_use_instances])
    )
    found = limit_uses(rules, {SpentTimeKey(month.name, ADA): ended}, scopes, running, month, trained)
    return status_of(rules, found, TEAMS, PRICES, month)


def hours(count: float) -> SpentTime:
    return SpentTime({GPU: count * HOUR}, {GPU: count * HOUR / 2})


def test_a_job_may_start_while_its_limit_is_not_used_up() -> None:
    assert judged(HOURS, hours(9.9)).blocking_reason(a_job()) is None


def test_a_used_up_limit_blocks_the_job_with_a_reason() -> None:
    reason = judged(HOURS, hours(10)).blocking_reason(a_job())
    assert reason is not None
    assert reason.code is ReasonCode.SPENDING_LIMIT
    assert "owner role/Scientist has used 10.00 of 10 GPU hours this month (spending limit limit-0)" in reason.message
    assert "the next month begins 2026-12-01 00:00 UTC" in reason.message


def test_dollars_count_what_is_billed() -> None:
    assert judged(DOLLARS, hours(9)).blocking_reason(a_job()) is None
    assert judged(DOLLARS, hours(10)).blocking_reason(a_job()) is not None


def test_a_running_attempt_counts_from_its_reservation_on() -> None:
    now = NOON + timedelta(hours=6)
    assert judged(HOURS, hours(0), running("a", holds=2), now=now).blocking_reason(a_job()) is not None
    assert judged(HOURS, hours(0), running("a", holds=1), now=now).blocking_reason(a_job()) is None


def test_only_this_months_part_of_a_running_attempt_counts() -> None:
    month_begins = datetime(2026, 12, 1, tzinfo=UTC)
    now = month_begins + timedelta(hours=2)
    assert judged(HOURS, hours(1), running("a", holds=4), now=now).blocking_reason(a_job()) is None
    assert judged(HOURS, hours(2), running("a", holds=4), now=now).blocking_reason(a_job()) is not None


def test_jobs_of_other_owners_are_not_blocked() -> None:
    other = a_job(owner="arn:aws:sts::123456789012:assumed-role/Other/eve")
    assert judged(HOURS, hours(10)).blocking_reason(other) is None


def test_limits_of_a_team_and_of_a_tag_block_their_jobs_only() -> None:
    tagged, plain = a_job(tags=(("project", "moon"),)), a_job()
    rules = the_limits({"tag": "project=moon", "gpu_hours": 1})
    month = month_of(NOON, rules.time_zone)
    moon = Scope(ScopeKind.TAG, "project=moon")
    found = status_of(
        rules, limit_uses(rules, {SpentTimeKey("2026-11", moon): hours(1)}, {moon}, {}, month), (), PRICES, month
    )
    assert (found.blocking_reason(tagged) is None, found.blocking_reason(plain) is None) == (False, True)


def test_a_count_that_cannot_be_read_blocks_launches_and_names_the_item_to_repair() -> None:
    reason = judged(HOURS, None).blocking_reason(a_job())
    assert reason is not None
    assert "SPENT#2026-11 owner#role/Scientist" in reason.message


def test_an_unknown_price_blocks_the_jobs_of_its_type() -> None:
    unknown = a_job(demand=Demand.of({"ml.new.xlarge": 1}))
    assert judged(HOURS, hours(0)).blocking_reason(unknown) is None
    reason = judged(DOLLARS, hours(0)).blocking_reason(unknown)
    assert reason is not None
    assert "no price of ml.new.xlarge is known" in reason.message


def test_an_unknown_price_of_a_past_attempt_blocks_all_jobs() -> None:
    reason = judged(DOLLARS, SpentTime({}, {"ml.new.xlarge": 1.0})).blocking_reason(a_job())
    assert reason is not None
    assert "no price of ml.new.xlarge" in reason.message


@pytest.mark.parametrize(
    ("spent", "state"),
    [(hours(7.9), UseState.OK), (hours(8), UseState.NEAR), (hours(10), UseState.USED_UP), (None, UseState.UNKNOWN)],
)
def test_a_use_is_near_from_the_limits_warning_share_on(spent: SpentTime | None, state: UseState) -> None:
    rules = the_limits(HOURS)
    month = month_of(NOON, rules.time_zone)
    (use,) = limit_uses(rules, {SpentTimeKey("2026-11", ADA): spent}, {ADA}, {}, month)
    assert use.state(PRICES) is state


def test_the_forecast_continues_the_average_rate_of_the_month() -> None:
    rules = the_limits(HOURS)
    now = datetime(2026, 11, 16, tzinfo=UTC)  # half of the month
    month = month_of(now, rules.time_zone)
    (use,) = limit_uses(rules, {SpentTimeKey("2026-11", ADA): hours(4)}, {ADA}, {ADA: hours(1)}, month)
    assert use.forecast(PRICES, month, now) == pytest.approx(Decimal(10))


# --------------------------------------------------------------------- the plan


def planned(limit: dict[str, Any], ended: SpentTime, *jobs: Any, now: datetime = NOON) -> Plan:
    live = [job for job in jobs if isinstance(job, LiveJob)]
    snapshot = replace(
        a_snapshot(4, *jobs), policy=IMMEDIATE_PREEMPTION, spending_status=judged(limit, ended, *live, now=now)
    )
    return plan(snapshot, now)


def test_a_blocked_job_waits_with_that_reason_and_delays_no_other() -> None:
    other = waiting("other", owner="arn:aws:sts::123456789012:assumed-role/Other/eve")
    decided = planned(HOURS, hours(10), waiting("mine", priority=5, needs=4), other)
    assert [launch.job.name for launch in decided.launches] == ["other"]
    assert [(wait.job.name, wait.reason.code) for wait in decided.waits] == [("mine", ReasonCode.SPENDING_LIMIT)]
    assert decided.reservations == ()


def test_a_held_job_does_not_use_up_the_share_of_the_longest_waiting() -> None:
    now, held, old = NOON + timedelta(hours=5), waiting("held"), waiting("old", owner=EVE, after=1)
    urgent = [waiting(f"urgent-{n}", priority=9, owner=EVE, after=290) for n in range(4)]
    policy = Policy(starvation_after=3600, starvation_share=0.25)
    snapshot = replace(a_snapshot(4, held, old, *urgent), policy=policy, spending_status=judged(HOURS, hours(10)))
    assert "old" in [launch.job.name for launch in plan(snapshot, now).launches]


def test_a_held_job_does_not_use_up_its_teams_quota() -> None:
    team = Team("vision", ("*:assumed-role/Scientist/*", "*:assumed-role/Other/*"), quota=Demand.of({GPU: 1}))
    held, mine = waiting("held", priority=5), waiting("mine", owner=EVE)
    snapshot = replace(
        a_snapshot(1, held, mine, running("bob", owner=BOB)), policy=replace(IMMEDIATE_PREEMPTION, teams=(team,))
    )
    decided = plan(replace(snapshot, spending_status=judged(HOURS, hours(10))), NOON)
    assert [(one.victim.job.name, one.beneficiary.name) for one in decided.preemptions] == [("bob", "mine")]


def test_a_blocked_job_keeps_its_stop_reason() -> None:
    stopped = EndedAttempt("held-sq-1", 1, Outcome.PREEMPTED, NOON, NOON, beneficiary="other")
    held = waiting("held", state=JobState.PREEMPTED, history=(stopped,))
    other, first = waiting("other", owner=EVE), waiting("first", owner=EVE, priority=9)
    snapshot = replace(
        a_snapshot(1, held, other, first), policy=IMMEDIATE_PREEMPTION, spending_status=judged(HOURS, hours(10))
    )
    assert [launch.job.name for launch in plan(snapshot, NOON).launches] == ["other"]


def test_running_jobs_continue_unless_the_limits_action_is_stop() -> None:
    job = running("job", checkpoint_uri=CHECKPOINTS)
    assert planned(HOURS, hours(10), job).evictions == ()
    (eviction,) = planned({**HOURS, "then": "stop"}, hours(10), job).evictions
    assert (eviction.victim, eviction.reason.code) == (job, ReasonCode.OVER_BUDGET)


@pytest.mark.parametrize(
    ("values", "minutes", "stops"),
    [
        ({"checkpoint_uri": None}, 30, False),
        ({"checkpoint_uri": CHECKPOINTS, "never_preempt": True}, 30, False),
        ({"checkpoint_uri": CHECKPOINTS, "checkpoint_interval": 1200}, 4, False),  # has saved nothing yet
        ({"checkpoint_uri": CHECKPOINTS, "checkpoint_interval": 1200}, 30, False),  # ten minutes are in no checkpoint
        ({"checkpoint_uri": CHECKPOINTS, "checkpoint_interval": 1200}, 42, True),
        ({"checkpoint_uri": CHECKPOINTS}, 30, True),
    ],
)
def test_a_job_is_stopped_only_when_it_loses_little(values: dict[str, Any], minutes: int, *, stops: bool) -> None:
    now = NOON + timedelta(minutes=minutes)
    decided = planned({**HOURS, "then": "stop"}, hours(10), running("job", **values), now=now)
    assert bool(decided.evictions) is stops


def test_a_program_that_saves_at_the_notice_is_stopped_at_any_moment() -> None:
    live = running("job", checkpoint_uri=CHECKPOINTS, checkpoint_interval=1200)
    listening = replace(live, attempt=replace(live.attempt, takes_notice=True, saved=Save(None, NOON)))
    decided = planned({**HOURS, "then": "stop"}, hours(10), listening, now=NOON + timedelta(minutes=30))
    assert [entry.victim for entry in decided.evictions] == [listening]


def test_no_job_is_stopped_for_attempts_that_do_not_train_yet() -> None:
    """When it ended, the limit would be free again."""
    starting = running("starting", checkpoint_uri=CHECKPOINTS)
    decided = planned({**HOURS, "then": "stop"}, hours(9.9), starting, waiting("next"), now=NOON + timedelta(hours=1))
    assert decided.evictions == ()
    assert [wait.reason.code for wait in decided.waits] == [ReasonCode.SPENDING_LIMIT]


def test_no_job_is_stopped_while_the_spending_is_unknown() -> None:
    rules = {**DOLLARS, "then": "stop"}
    unknown = SpentTime({}, {"ml.new.xlarge": 1.0})
    assert planned(rules, unknown, running("job", checkpoint_uri=CHECKPOINTS)).evictions == ()
