"""Checks jobs against the calendar's upcoming budgets.

A job starts only if it ends before the budget shrinks, or if it can be stopped then. A job that saves checkpoints and
may be preempted by then can start before any period: if it does not fit the period, it is stopped and continues later.
Every other job needs free instances in each period that begins before the job reaches its time limit.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from math import inf
from typing import NamedTuple

from scheduler.core.calendar.calendar import Excess, Period
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import MAX_MAX_RUNTIME, Job
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.aging import protected_by_starvation_share
from scheduler.core.planner.snapshot import Snapshot

#: Seconds. Starts are considered this far ahead. Periods are known for twice as long, since no job runs for longer.
_MAX_AHEAD = MAX_MAX_RUNTIME
#: Seconds. A job that grows may start again so long after its notice.
_LATEST_RESTART = 600


class CapacityChange(NamedTuple):
    """Records the instances that become free at a time, or that the calendar removes from the budget at that time."""

    at: float  # seconds since the epoch
    demand: Demand
    job: Job | None  # the job that ends; None for a change by the calendar


class CalendarHorizon:
    def __init__(self, snapshot: Snapshot, now: float) -> None:
        self._snapshot, self._now = snapshot, now
        self._earliest_starts: dict[object, float] = {}
        # The instances left in each upcoming period for jobs that will still run when it begins and cannot be stopped.
        self._free_by_period = [(period, self._free_in(period)) for period in snapshot.periods]

    def first_conflict(self, job: Job, delay: float = 0) -> Period | None:
        """Returns the first upcoming period in which the job would not fit if it started now, or after a delay."""
        periods = self._periods_with_the_job(job, self._now + delay)
        return next((period for period, free in periods if not free.has(job.spec.demand)), None)

    def allows_restart(self, job: Job) -> bool:
        """Returns whether a job that is stopped now to grow would fit in all upcoming periods, even after a late start.

        The later it starts, the later it may be preempted.
        """
        delays = (0, self._snapshot.policy.notice + _LATEST_RESTART)
        return not any(self.first_conflict(job, delay) for delay in delays)

    def reserve(self, job: Job, start: float) -> None:
        """Reserves instances in the upcoming periods for a job that starts at `start`; if that is inf, reserves none.

        A start now may overdraw a period. A later start gets a reservation only if every period has enough instances.
        """
        free_capacities = [free for _, free in self._periods_with_the_job(job, start)]
        if start == self._now or all(free.has(job.spec.demand) for free in free_capacities):
            for free in free_capacities:
                free.take(job.spec.demand)

    def earliest_start(self, job: Job) -> float:
        """Returns the first time at which the calendar allows the job to start, in seconds since the epoch; else inf.

        Considers neither running jobs nor other waiting jobs.
        """
        spec, settings = job.spec, self._snapshot.policy.of(job)
        is_worn_out, protected = job.status.preemptions >= settings.preemptions_per_job, settings.protected_run_time
        saves = spec.checkpoint_uri is not None
        key = (spec.demand.counts, spec.max_runtime, saves, job.is_never_preempted, is_worn_out, protected)
        if key not in self._earliest_starts:
            starts = (self._now, *(period.begins.timestamp() for period in self._snapshot.periods))
            self._earliest_starts[key] = next((start for start in starts if self.allows(job, start)), inf)
        return self._earliest_starts[key]

    def allows(self, job: Job, start: float) -> bool:
        """Returns whether the budgets allow the job to start at `start` and then to continue, ignoring other jobs."""
        if self._snapshot.periods and start > self._now + _MAX_AHEAD:
            return False  # the later periods are not known
        demand, ends, limit = job.spec.demand, start + job.spec.max_runtime, self._snapshot.budget.limit
        for period in self._snapshot.periods:
            begins = period.begins.timestamp()
            if begins >= ends:
                break
            if begins <= start:
                limit = period.budget.limit
            elif not demand.fits(period.budget.limit) and not _can_be_preempted(job, start, period, self._snapshot):
                return False
        return demand.fits(limit)

    def budget_changes(self) -> Iterator[CapacityChange]:
        """Yields the budget change at the beginning of each upcoming period."""
        limit = self._snapshot.budget.limit
        for period in self._snapshot.periods:
            yield CapacityChange(period.begins.timestamp(), period.budget.limit - limit, None)
            limit = period.budget.limit

    def describe(self, period: Period, job: Job) -> str:
        """Describes, for users, the budget that an upcoming period has for the job."""
        budget = ", ".join(f"{period.budget.limit[line]} × {line}" for line in job.spec.demand)
        message = f"from {period.begins.astimezone(UTC):%Y-%m-%d %H:%M} UTC on, the calendar's budget is {budget}"
        if not job.spec.demand.fits(period.budget.limit):
            return message
        return f"{message}, needed by jobs that are ahead of it or still running then"

    def _periods_with_the_job(self, job: Job, start: float) -> Iterator[tuple[Period, FreeCapacity]]:
        """Yields each upcoming period in which the job would run and could not be stopped, with its free instances."""
        for period, free in self._free_by_period:
            begins = period.begins.timestamp()
            if begins >= start + job.spec.max_runtime:
                return
            if begins == start or (begins > start and not _can_be_preempted(job, start, period, self._snapshot)):
                yield period, free

    def _free_in(self, period: Period) -> FreeCapacity:
        free = FreeCapacity(period.budget.limit.counts)
        free.take(self._snapshot.held_by_unmanaged_jobs)
        lasting = [live for live in self._snapshot.staying if live.ends_by > period.begins.timestamp()]
        protected = protected_by_starvation_share(lasting, period.budget, self._snapshot.policy)
        for live in lasting:
            modes = period.excess.modes_of(live.attempt.demand)
            is_protected = Excess.PREEMPT in modes and live.job.name in protected
            started_at = live.started_at.timestamp()
            if is_protected or not _may_be_stopped(live.job, started_at, period.begins, modes, self._snapshot):
                free.take(live.attempt.demand)
        return free


def _can_be_preempted(job: Job, start: float, period: Period, snapshot: Snapshot) -> bool:
    modes = period.excess.modes_of(job.spec.demand)
    return job.spec.checkpoint_uri is not None and _may_be_stopped(job, start, period.begins, modes, snapshot)


def _may_be_stopped(job: Job, start: float, at: datetime, modes: frozenset[Excess], snapshot: Snapshot) -> bool:
    """Returns whether the job may be stopped when the budget shrinks at `at`, if it starts at `start`."""
    if modes <= {Excess.STOP}:
        return True
    if Excess.FINISH in modes:
        return False
    settings = snapshot.policy.of(job)
    is_protected = start + settings.protected_run_time > at.timestamp()
    return not (job.is_never_preempted or job.status.preemptions >= settings.preemptions_per_job or is_protected)
