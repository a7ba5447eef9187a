"""Properties of every calendar, and of every plan with a calendar ahead."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.core.calendar.calendar import Calendar, Excess, Period, Window, periods
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from support.builders.random_calendars import calendars, snapshots_before_a_change
from support.builders.random_snapshots import NOW, TYPES

STACK = Budget.of(dict.fromkeys(TYPES, 4))
HORIZON = timedelta(days=28)
_WEEK = 7 * 24 * 60
moments = st.integers(0, int(HORIZON.total_seconds()) - 1).map(lambda seconds: NOW + timedelta(seconds=seconds))


def budget_at(calendar: Calendar, stack: Budget, time: datetime) -> Period:
    return next(periods(calendar, stack, time, time))


@given(calendars(TYPES), moments)
def test_the_budgets_ahead_are_those_that_hold_when_the_time_has_come(calendar: Calendar, at: datetime) -> None:
    ahead = [*periods(calendar, STACK, NOW, NOW + HORIZON)]
    then = [period for period in ahead if period.begins <= at][-1]
    assert (then.budget, then.excess) == told(budget_at(calendar, STACK, at))


@settings(max_examples=500)  # windows that meet are rare
@given(calendars(TYPES), moments)
def test_one_time_windows_override_weekly_ones_and_draining_only_lowers_counts(
    calendar: Calendar, at: datetime
) -> None:
    period = budget_at(calendar, STACK, at)
    for kind in TYPES:
        named = [window for window in calendar.windows if kind in window.budget]
        is_open = sorted((one for one in named if opens(one, calendar, at)), key=lambda one: one.once is not None)
        count = is_open[-1].budget[kind] if is_open else STACK.limit[kind]
        soon = [one.budget[kind] for one in named if drains(one, named, calendar, at)]
        assert period.budget.limit[kind] == min([count, *soon])


@given(calendars(TYPES), moments)
def test_no_budget_is_ever_above_the_most_that_may_be_asked_for(calendar: Calendar, at: datetime) -> None:
    most = calendar.largest_budget(STACK, NOW)
    assert budget_at(calendar, STACK, at).budget.limit.fits(most.limit)


@given(snapshots_before_a_change())
def test_no_job_starts_that_can_neither_end_nor_be_preempted_in_time(snapshot: Snapshot) -> None:
    started = [entry.job for entry in plan(snapshot, NOW).launches]
    for period in snapshot.periods:
        staying = total(job.spec.demand for job in started if stays(job, NOW, period, snapshot, must_save=True))
        for kind in staying:
            assert staying[kind] + kept(period, snapshot)[kind] <= period.budget.limit[kind]


def told(period: Period) -> tuple[Budget, object]:
    return period.budget, period.excess


def opens(window: Window, calendar: Calendar, at: datetime) -> bool:
    """Minute by minute of the local week, or between two moments."""
    if window.once:
        return window.once.begins <= at < window.once.ends
    return any(is_within(span.begins, span.ends, calendar, at) for span in window.weekly)


def drains(window: Window, named: Sequence[Window], calendar: Calendar, at: datetime) -> bool:
    """A weekly window that a dated one hides when it opens has nothing to drain for."""
    early = timedelta(minutes=window.drain_minutes)
    if window.once:
        return window.once.begins - early <= at < window.once.begins
    placement = (next_opening(span.begins, calendar, at) for span in window.weekly)
    dated = [other for other in named if other.once]
    return any(
        at >= opening - early and not any(opens(other, calendar, opening) for other in dated) for opening in placement
    )


def next_opening(begins: int, calendar: Calendar, at: datetime) -> datetime:
    """The next moment after this one that is so many minutes into the local week."""
    until = (begins - minute_of_the_week(calendar, at)) % _WEEK or _WEEK
    return at.replace(second=0) + timedelta(minutes=until)


def is_within(begins: int, ends: int, calendar: Calendar, at: datetime) -> bool:
    return (minute_of_the_week(calendar, at) - begins) % _WEEK < (ends - begins) % _WEEK


def minute_of_the_week(calendar: Calendar, at: datetime) -> int:
    local = at.astimezone(calendar.time_zone)
    return (local.weekday() * 24 + local.hour) * 60 + local.minute


def kept(period: Period, snapshot: Snapshot) -> Demand:
    """Returns the part of that period's budget that others and running jobs hold."""
    live = (one for one in snapshot.live if one.job.status.state is not JobState.STOPPING)
    staying = (one.attempt.demand for one in live if stays(one.job, one.started_at, period, snapshot))
    return total([*staying, snapshot.held_by_unmanaged_jobs])


def stays(job: Job, started: datetime, period: Period, snapshot: Snapshot, *, must_save: bool = False) -> bool:
    """Whether it may still run when the period begins, and is then not to be stopped; `must_save`: at no loss."""
    if started + timedelta(seconds=job.spec.max_runtime) <= period.begins:
        return False
    ways, policy = {period.excess.of(kind) for kind in job.spec.demand}, snapshot.policy
    if must_save and job.spec.checkpoint_uri is None:
        return True
    if ways == {Excess.STOP}:
        return False
    is_protected = started + timedelta(seconds=policy.protected_run_time) > period.begins
    is_spared = job.options.never_preempt or job.status.preemptions >= policy.preemptions_per_job
    return Excess.FINISH in ways or is_protected or is_spared
