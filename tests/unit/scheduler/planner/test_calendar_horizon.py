"""A job starts only if it can end or be preempted before the calendar shrinks the budget."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from scheduler.core.calendar.calendar import Excess, ExcessRule, Period
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.explanation import explain
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import IMMEDIATE_PREEMPTION, Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON
from support.builders.snapshots import a_snapshot, gpus, running, waiting

SAVING: dict[str, Any] = {"checkpoint_uri": "s3://bucket/checkpoints"}
HOUR = 3600


def then(count: int, hours: float = 1, excess: Excess = Excess.PREEMPT) -> Period:
    return Period(NOON + timedelta(hours=hours), Budget(gpus(count), (GPU,)), ExcessRule(excess))


def days_and_nights(by_day: int, by_night: int) -> tuple[Period, ...]:
    """From noon on, as far as a calendar is known."""
    edges = [(then(by_night, 8 + 24 * day), then(by_day, 19 + 24 * day)) for day in range(56)]
    return tuple(period for edge in edges for period in edge)


def facing(
    *jobs: Job | LiveJob, now: int = 2, periods: tuple[Period, ...], policy: Policy = IMMEDIATE_PREEMPTION
) -> Snapshot:
    return replace(a_snapshot(now, *jobs), periods=periods, policy=policy)


def planned(
    *jobs: Job | LiveJob, now: int = 2, periods: tuple[Period, ...], policy: Policy = IMMEDIATE_PREEMPTION
) -> Plan:
    return plan(facing(*jobs, now=now, periods=periods, policy=policy), NOON)


def launched(decided: Plan) -> list[str]:
    return [entry.job.name for entry in decided.launches]


def code(decided: Plan, name: str) -> ReasonCode | None:
    reason = decided.reason_for(name)
    return reason.code if reason else None


def test_a_job_that_ends_before_the_budget_shrinks_starts() -> None:
    assert launched(planned(waiting("short", max_runtime=HOUR), periods=(then(0),))) == ["short"]


def test_a_job_without_checkpoints_that_the_calendar_would_stop_waits_and_its_reason_says_why() -> None:
    decided = planned(waiting("long", max_runtime=HOUR + 1), periods=(then(0), then(2, hours=3)))
    assert (launched(decided), code(decided, "long")) == ([], ReasonCode.WAITS_FOR_CALENDAR)
    reason = decided.reason_for("long")
    assert reason is not None
    assert reason.message == (
        "it can neither end nor be preempted in time: "
        "from 2026-11-21 13:00 UTC on, the calendar's budget is 0 × ml.g5.xlarge"
    )


def test_a_job_that_saves_checkpoints_and_may_be_preempted_by_then_starts() -> None:
    assert launched(planned(waiting("saving", **SAVING), periods=(then(0),))) == ["saving"]


@pytest.mark.parametrize(
    ("changes", "policy", "excess"),
    [
        ({"never_preempt": True}, IMMEDIATE_PREEMPTION, Excess.PREEMPT),
        ({"preemptions": IMMEDIATE_PREEMPTION.preemptions_per_job}, IMMEDIATE_PREEMPTION, Excess.PREEMPT),
        ({}, Policy(patience=0, protected_run_time=HOUR + 1), Excess.PREEMPT),
        ({}, IMMEDIATE_PREEMPTION, Excess.FINISH),
    ],
)
def test_a_job_that_cannot_be_stopped_then_waits(changes: dict[str, Any], policy: Policy, excess: Excess) -> None:
    decided = planned(waiting("job", **SAVING | changes), periods=(then(0, excess=excess),), policy=policy)
    assert code(decided, "job") is ReasonCode.WAITS_FOR_CALENDAR


def test_if_the_calendar_stops_all_jobs_only_checkpoints_count() -> None:
    stop = (then(0, excess=Excess.STOP),)
    assert launched(planned(waiting("vip", never_preempt=True, **SAVING), periods=stop)) == ["vip"]
    assert launched(planned(waiting("unsaved"), periods=stop)) == []


def test_instances_of_the_smaller_budget_are_given_to_one_job_only() -> None:
    decided = planned(waiting("one"), waiting("two", after=1), periods=(then(1),))
    assert (launched(decided), code(decided, "two")) == (["one"], ReasonCode.WAITS_FOR_CALENDAR)


def test_the_smaller_budget_counts_jobs_that_run_on_and_not_those_that_are_preempted() -> None:
    assert launched(planned(running("staying", never_preempt=True), waiting("next"), periods=(then(1),))) == []
    assert launched(planned(running("leaving"), waiting("next"), periods=(then(1),))) == ["next"]
    assert launched(planned(running("ending", max_runtime=HOUR), waiting("next"), periods=(then(1),))) == ["next"]


def test_jobs_pass_a_job_that_waits_for_the_calendar_without_its_reserved_instances() -> None:
    behind = [
        waiting("long", after=1, max_runtime=3 * HOUR),
        waiting("short", after=2, max_runtime=HOUR),
        waiting("saving", after=3, **SAVING),
    ]
    decided = planned(
        running("staying", never_preempt=True), waiting("wide", 1, needs=2), *behind, now=4, periods=(then(2),)
    )
    assert launched(decided) == ["short", "saving"]
    assert [code(decided, name) for name in ("wide", "long")] == [ReasonCode.WAITS_FOR_CALENDAR] * 2


def test_a_job_that_the_calendar_never_lets_start_reserves_nothing() -> None:
    endless = waiting("endless", 5, needs=3, max_runtime=24 * HOUR)
    decided = planned(endless, waiting("behind", max_runtime=12 * HOUR), now=4, periods=days_and_nights(4, 2))
    assert (launched(decided), code(decided, "endless")) == (["behind"], ReasonCode.WAITS_FOR_CALENDAR)


def test_a_job_longer_than_every_period_gets_no_start_estimate_and_a_reason_with_a_remedy() -> None:
    told = explain(
        facing(waiting("endless", needs=3, max_runtime=24 * HOUR), now=4, periods=days_and_nights(4, 2)), NOON
    )
    assert starts(told, "endless") == (None, None)
    assert "set a shorter time limit or save checkpoints" in told["endless"].reason.message


def test_a_job_that_only_the_calendar_delays_has_its_instances_reserved_for_its_earliest_start() -> None:
    late = waiting("late", 5, needs=3, max_runtime=24 * HOUR)
    behind = [waiting("one", after=1, max_runtime=21 * HOUR), waiting("two", needs=2, after=2, max_runtime=21 * HOUR)]
    decided = planned(late, *behind, now=4, periods=(then(2, hours=8), then(4, hours=20)))
    assert launched(decided) == ["one"]
    assert [code(decided, name) for name in ("late", "two")] == [ReasonCode.WAITS_FOR_CALENDAR] * 2


def test_the_reason_says_that_other_jobs_need_a_smaller_budget_that_would_hold_the_job() -> None:
    reason = planned(waiting("one"), waiting("two", after=1), periods=(then(1),)).reason_for("two")
    assert reason is not None
    assert reason.message.endswith("is 1 × ml.g5.xlarge, needed by jobs that are ahead of it or still running then")


def test_a_job_on_the_starvation_share_is_not_preempted_by_the_calendar() -> None:
    policy = replace(IMMEDIATE_PREEMPTION, starvation_after=HOUR, starvation_share=0.5)
    elder = running("elder", **SAVING)
    elder = LiveJob(replace(elder.job, submitted_at=NOON - timedelta(hours=10)), elder.attempt)
    stiff = waiting("stiff", needs=2, max_runtime=5 * HOUR)
    assert launched(planned(elder, stiff, now=4, periods=(then(2),), policy=policy)) == []
    assert launched(planned(elder, stiff, now=4, periods=(then(2),))) == ["stiff"]
    assert launched(planned(elder, stiff, now=4, periods=(then(2, excess=Excess.STOP),), policy=policy)) == ["stiff"]


def test_no_job_is_preempted_for_a_job_that_the_calendar_delays() -> None:
    decided = planned(running("low"), running("low2"), waiting("high", 9), periods=(then(0),))
    assert decided.preemptions == ()


def test_a_job_wider_than_the_budget_gets_a_reservation_in_the_first_period_that_holds_it() -> None:
    wide = waiting("wide", 5, needs=4, max_runtime=HOUR)
    behind = [waiting("long", max_runtime=HOUR + 1), waiting("short", after=1, max_runtime=HOUR)]
    decided = planned(wide, *behind, periods=(then(4),))
    assert launched(decided) == ["short"]
    assert code(decided, "wide") is ReasonCode.WAITS_FOR_CALENDAR
    assert [(entry.job.name, entry.starts_at) for entry in decided.reservations] == [
        ("wide", NOON + timedelta(hours=1))
    ]


def test_a_job_wider_than_any_period_is_parked_or_waits_for_another_budget() -> None:
    snapshot = facing(waiting("huge", needs=9), periods=(then(4),))
    assert [entry.job.name for entry in plan(snapshot, NOON).parks] == ["huge"]
    in_two_months = replace(snapshot, largest_later_budget=Budget(gpus(9), (GPU,)))
    assert code(plan(in_two_months, NOON), "huge") is ReasonCode.EXCEEDS_BUDGET


def test_a_job_that_waits_for_the_calendar_starts_when_a_window_opens() -> None:
    periods = (then(0, hours=1), then(2, hours=3))
    told = explain(facing(waiting("long"), waiting("wide", needs=3, after=1), periods=(*periods, then(3, 5))), NOON)
    assert starts(told, "long") == (at(3), at(3))
    assert starts(told, "wide") == (at(5), at(5))


def test_no_start_is_reserved_in_a_period_that_is_too_short_for_the_job() -> None:
    snapshot = facing(
        running("ends", max_runtime=HOUR),
        waiting("next", max_runtime=2 * HOUR),
        now=1,
        periods=(then(0, hours=2), then(1, hours=4)),
    )
    assert starts(explain(snapshot, NOON), "next")[1] == at(4)


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def starts(told: Any, name: str) -> tuple[datetime | None, datetime | None]:
    return told[name].starts.earliest, told[name].starts.latest


def shrunk(excess: Excess, *jobs: LiveJob, policy: Policy = IMMEDIATE_PREEMPTION) -> set[str]:
    snapshot = replace(a_snapshot(1, *jobs), excess=ExcessRule(excess), policy=policy)
    return {entry.victim.job.name for entry in plan(snapshot, NOON + timedelta(minutes=30)).evictions}


def test_a_shrunk_budget_preempts_preemptible_jobs_and_lets_the_others_finish() -> None:
    assert shrunk(Excess.PREEMPT, running("vip", never_preempt=True), running("a", **SAVING), running("b")) == {
        "a",
        "b",
    }
    assert shrunk(Excess.PREEMPT, running("vip", never_preempt=True), running("vip2", never_preempt=True)) == set()
    assert shrunk(Excess.PREEMPT, running("a"), running("b"), policy=Policy(protected_run_time=HOUR)) == set()
    assert shrunk(Excess.FINISH, running("a"), running("b")) == set()


def test_of_two_preemptible_jobs_the_one_with_checkpoints_is_preempted() -> None:
    assert shrunk(Excess.PREEMPT, running("unsaved"), running("saving", **SAVING)) == {"saving"}
