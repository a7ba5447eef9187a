"""The digest of an owner: its 24 hours, what it collects, and its words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scheduler.core.history.change import WRITTEN_BY_CYCLE, WRITTEN_BY_POOLS, Change, RecordedAction, Run
from scheduler.core.history.digests.digest import digest_for
from scheduler.core.history.digests.owner_day import OwnerDay
from scheduler.core.history.digests.owner_now import OwnerNow
from scheduler.core.history.digests.period import DigestPeriod, last_period
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import QUEUE, ActionKind, JobState
from scheduler.core.jobs.reason import ReasonCode
from support.builders.changes import a_change
from support.builders.jobs import NOON

PERIOD = DigestPeriod(NOON)
OWNER = "arn:aws:sts::123456789012:assumed-role/Research/ada"
TWO = Demand.of({"ml.g5.xlarge": 2})
START = NOON - timedelta(hours=3)
RUN = Run(1, "resnet-sq-1", Outcome.COMPLETED, START, START, START + timedelta(hours=1), TWO, START, 1800, is_new=True)


def by_cycle(job: str = "resnet", *done: ActionKind, **values: Any) -> Change:
    actions = tuple(RecordedAction(kind, QUEUE) for kind in done)
    return a_change(job, 3, written_by=WRITTEN_BY_CYCLE, done=actions, **values)


def ended(job: str, state: JobState, reason: ReasonCode = ReasonCode.COMPLETED, **values: Any) -> Change:
    return by_cycle(job, state=state, reason=reason, **values)


def a_day(*changes: Change) -> OwnerDay:
    day = OwnerDay()
    for change in changes:
        day.add(change)
    return day


def lines(day: OwnerDay, now: OwnerNow | None = None, used: str = "") -> list[str]:
    notice = digest_for(OWNER, PERIOD, day, used, now or OwnerNow())
    return notice.reason.splitlines()[1:] if notice else []


@pytest.mark.parametrize(
    ("now", "ends"),
    [("2026-11-28T06:00", "2026-11-28"), ("2026-11-28T05:59", "2026-11-27"), ("2026-11-28T23:59", "2026-11-28")],
)
def test_a_period_ends_at_its_hour(now: str, ends: str) -> None:
    period = last_period(datetime.fromisoformat(now).replace(tzinfo=UTC), 6)
    assert (period.name, period.ends.hour) == (ends, 6)
    assert period.ends - period.begins == timedelta(days=1)


def test_ends_are_grouped_with_their_reasons() -> None:
    failed = replace(RUN, outcome=Outcome.FAILED, failure_class=FailureClass.OUT_OF_MEMORY)
    day = a_day(
        ended("a", JobState.COMPLETED),
        ended("b", JobState.FAILED, ReasonCode.FAILED, run=failed),
        ended("c", JobState.STOPPED, ReasonCode.CANCELLED, message="cancelled by ada"),
        ended("d", JobState.COMPLETED),
    )
    assert lines(day) == ["Completed: 2 (a; d).", "Failed: 1 (b: out of memory).", "Stopped: 1 (c: cancelled by ada)."]


def test_a_line_names_five_jobs() -> None:
    (line,) = lines(a_day(*(ended(f"job-{number}", JobState.COMPLETED) for number in range(7))))
    assert line == "Completed: 7 (job-0; job-1; job-2; job-3; job-4; 2 more)."


def test_preemptions_resumptions_interruptions_and_retries_are_counted() -> None:
    preempted = replace(RUN, outcome=Outcome.PREEMPTED)
    waits = by_cycle(state=JobState.PREEMPTED, reason=ReasonCode.OUTRANKED, run=preempted)
    runs = by_cycle(state=JobState.RUNNING, reason=ReasonCode.RUNNING, run=preempted)
    interrupted = by_cycle("resnet", ActionKind.INTERRUPTED, state=JobState.RUNNING, run=preempted)
    retried = by_cycle("resnet", ActionKind.RETRIED, state=JobState.PENDING, reason=ReasonCode.RETRYING)
    assert lines(a_day(waits, runs, waits, runs, interrupted, retried)) == [
        "Attempts: preempted 2, resumed 2, interrupted 1, retried 1."
    ]


@pytest.mark.parametrize("reason", [ReasonCode.LEAVES_SPOT, ReasonCode.HUNG])
def test_an_attempt_that_continues_on_demand_or_after_a_hang_counts_as_retried_once(reason: ReasonCode) -> None:
    stops = by_cycle("resnet", ActionKind.LEFT_SPOT, state=JobState.STOPPING, reason=reason)
    waits = by_cycle(state=JobState.PENDING, reason=reason, run=RUN)
    later = replace(waits, run=replace(RUN, is_new=False))
    gave_up = ended("bert", JobState.STOPPED, reason, run=RUN, message="it hung")
    assert lines(a_day(stops, waits, later)) == ["Attempts: retried 1."]
    assert lines(a_day(gave_up)) == ["Stopped: 1 (bert: it hung)."]


def test_a_finding_is_named_once_for_each_job() -> None:
    warned, stopped = (by_cycle("vit", kind) for kind in (ActionKind.WARNED_IDLE, ActionKind.STOPPED_IDLE))
    hung = by_cycle("bert", ActionKind.WARNED_HUNG)
    assert lines(a_day(warned, hung, stopped)) == ["Findings: 2 (vit: idle GPUs; bert: a hang)."]


def test_the_time_of_an_attempt_counts_once_and_that_of_its_pool_when_it_is_known() -> None:
    end = ended("resnet", JobState.COMPLETED, run=RUN)
    repeats = replace(end, run=replace(RUN, is_new=False))
    pool = replace(repeats, written_by=WRITTEN_BY_POOLS, run=replace(RUN, is_new=False, retained_seconds=600))
    day = a_day(end, replace(repeats, written_by="api"), repeats, pool)
    assert (day.held, day.billed) == ({"ml.g5.xlarge": 2 * 4200}, {"ml.g5.xlarge": 2 * 2400})
    assert lines(day) == ["Completed: 1 (resnet)."]


@pytest.mark.parametrize("action", [ActionKind.WARNED_DEADLINE, ActionKind.PARKED])
def test_the_time_of_an_attempt_counts_only_in_the_digest_of_the_day_that_records_its_end(action: ActionKind) -> None:
    end = PERIOD.begins - timedelta(hours=2)
    recorded_late = replace(RUN, training_started_at=end - timedelta(hours=1), ended_at=end)
    recorded_before = replace(RUN, ended_at=PERIOD.begins - timedelta(minutes=20), is_new=False)
    assert a_day(by_cycle(state=JobState.PENDING, run=recorded_late)).held == {"ml.g5.xlarge": 2 * 3600}
    assert not a_day(by_cycle("resnet", action, state=JobState.PENDING, run=recorded_before)).held


def test_the_end_of_a_warm_pool_is_no_resumption() -> None:
    preempted = replace(RUN, outcome=Outcome.PREEMPTED, is_new=False, retained_seconds=60)
    runs = by_cycle(state=JobState.RUNNING, reason=ReasonCode.RUNNING, run=preempted)
    assert lines(a_day(runs, replace(runs, written_by=WRITTEN_BY_POOLS))) == ["Attempts: resumed 1."]


def test_a_warning_about_a_deadline_says_that_the_job_may_miss_it() -> None:
    (line,) = lines(a_day(by_cycle("vit", ActionKind.WARNED_DEADLINE, state=JobState.PENDING)))
    assert line == "Findings: 1 (vit: an expected miss of its deadline)."


def test_the_queue_is_described_as_it_is_now() -> None:
    now = OwnerNow(
        live=[("a", ""), ("z", "stopping")],
        waiting=3,
        waits=[("b", "needs 2 instances")],
        parked=2,
        parks=[("c", "exceeds the budget")],
        held=1,
        limits=["ada has used $1 of $2"],
    )
    assert lines(a_day(), now, "1.0 instance hours") == [
        "Used by ended attempts: 1.0 instance hours.",
        "Running now: 2 (a; z: stopping).",
        "Waiting now: 3 (b: needs 2 instances; 2 more).",
        "Parked: 2 (c: exceeds the budget; 1 more).",
        "On hold: 1.",
        "Spending: ada has used $1 of $2.",
    ]


@pytest.mark.parametrize(
    ("day", "now", "remedy"),
    [
        (a_day(ended("a", JobState.COMPLETED)), OwnerNow(), "No action is needed"),
        (a_day(ended("a", JobState.FAILED, ReasonCode.FAILED)), OwnerNow(), "and what to do"),
        (a_day(), OwnerNow(parked=1), "and what to do"),
        (a_day(by_cycle("vit", ActionKind.WARNED_IDLE)), OwnerNow(), "shows more about a finding"),
    ],
)
def test_the_remedy_depends_on_the_contents(day: OwnerDay, now: OwnerNow, remedy: str) -> None:
    notice = digest_for(OWNER, PERIOD, day, "", now)
    assert notice is not None
    assert remedy in notice.remedy


def test_an_owner_without_jobs_gets_no_digest() -> None:
    assert digest_for(OWNER, PERIOD, a_day(a_change()), "", OwnerNow(limits=["ada has used $1 of $2"])) is None


def test_the_id_consists_of_the_day_and_the_owner() -> None:
    first, again = (digest_for(OWNER, PERIOD, a_day(), "", OwnerNow([(name, "")])) for name in "ab")
    assert first is not None
    assert again is not None
    assert first.id == again.id == f"{PERIOD.name}/{OWNER}/digest"
    assert first.reason != again.reason
