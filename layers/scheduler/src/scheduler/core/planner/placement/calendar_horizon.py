"""What the calendar has ahead: a job starts only if it ends before the budget shrinks, or can give way then.

A job that saves checkpoints and may be preempted by then can run in any period: it is stopped if its place is lost, and
comes back. Every other job needs a place in each period that begins before its time limit ends it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from math import inf

from scheduler.core.calendar.period import Excess, Period
from scheduler.core.jobs.job import MAX_MAX_RUNTIME, Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.aging import protected_by_starvation_share
from scheduler.core.planner.placement.backfill import Ending
from scheduler.core.planner.snapshot import Snapshot

#: How far ahead a start is looked for, in seconds; the periods are known for as long again, as no job runs longer.
_FARTHEST = MAX_MAX_RUNTIME


class CalendarHorizon:
    def __init__(self, snapshot: Snapshot, now: float) -> None:
        self._snapshot, self._now = snapshot, now
        self._earliest: dict[object, float] = {}
        self._staying = [live for live in snapshot.live if live.job.state is not JobState.STOPPING]
        # What each coming period has left for jobs that stay until it begins and cannot be stopped then.
        self._rooms = [(period, self._room_in(period)) for period in snapshot.periods]

    def obstacle(self, job: Job) -> Period | None:
        """The first coming period that has no place for the job, if it were started now."""
        for period, room in self._met_by(job, self._now):
            if not room.has(job.demand):
                return period
        return None

    def reserve(self, job: Job, start: float) -> None:
        """For a job that starts now, or when the calendar allows it first; never, if start is inf.

        Where others are in its way now it keeps what they will leave; at a later start only what is there.
        """
        rooms = [room for _, room in self._met_by(job, start)]
        if start == self._now or all(room.has(job.demand) for room in rooms):
            for room in rooms:
                room.take(job.demand)

    def earliest(self, job: Job) -> float:
        """From when on the calendar alone allows it, in seconds since the epoch; inf: not as far as is looked."""
        key = (job.demand.counts, job.max_runtime, _ways_to_give_way(job, self._snapshot))
        if key not in self._earliest:
            starts = (self._now, *(period.begins.timestamp() for period in self._snapshot.periods))
            self._earliest[key] = next((start for start in starts if self.allows(job, start)), inf)
        return self._earliest[key]

    def allows(self, job: Job, start: float) -> bool:
        """Whether nothing but other jobs could keep it from starting then, and from going on."""
        if self._snapshot.periods and start > self._now + _FARTHEST:
            return False  # nobody knows what comes then
        ends, limit = start + job.max_runtime, self._snapshot.budget.limit
        for period in self._snapshot.periods:
            begins = period.begins.timestamp()
            if begins >= ends:
                break
            if begins <= start:
                limit = period.budget.limit
            elif not (job.demand.fits(period.budget.limit) or _gives_way(job, start, period, self._snapshot)):
                return False
        return job.demand.fits(limit)

    def changes(self) -> Iterator[Ending]:
        """What comes to the budget, or goes, and when."""
        limit = self._snapshot.budget.limit
        for period in self._snapshot.periods:
            yield Ending(period.begins.timestamp(), period.budget.limit - limit, "")
            limit = period.budget.limit

    def told(self, period: Period, job: Job) -> str:
        """What a coming period has for the job, for people."""
        there = ", ".join(f"{period.budget.limit[kind]} × {kind}" for kind in job.demand)
        message = f"from {period.begins.astimezone(UTC):%Y-%m-%d %H:%M} UTC the calendar's budget is {there}"
        if not job.demand.fits(period.budget.limit):
            return message
        return f"{message}, which jobs that stay until then, or are ahead of it, need"

    def _met_by(self, job: Job, start: float) -> Iterator[tuple[Period, FreeCapacity]]:
        """The coming periods in which it would run, and could not give way."""
        for period, room in self._rooms:
            begins = period.begins.timestamp()
            if begins >= start + job.max_runtime:
                return
            if begins == start or (begins > start and not _gives_way(job, start, period, self._snapshot)):
                yield period, room

    def _room_in(self, period: Period) -> FreeCapacity:
        room = FreeCapacity(period.budget.limit.counts)
        room.take(self._snapshot.held_by_unmanaged_jobs)
        lasting = [live for live in self._staying if live.ends_by > period.begins.timestamp()]
        spared = protected_by_starvation_share(lasting, period.budget, self._snapshot.policy)
        for live in lasting:
            if self._stays_in(period, live, spared):
                room.take(live.attempt.demand)
        return room

    def _stays_in(self, period: Period, live: LiveJob, spared: frozenset[str]) -> bool:
        modes = period.excess.modes_of(live.attempt.demand)
        if Excess.PREEMPT in modes and live.job.name in spared:
            return True
        return not _may_be_stopped(live.job, live.started_at.timestamp(), period.begins, modes, self._snapshot)


def _ways_to_give_way(job: Job, snapshot: Snapshot) -> object:
    """All of the job that decides where it gives way, beside its demand."""
    return job.checkpoint_uri is None, job.never_preempt, job.preemptions >= snapshot.policy.preemptions_per_job


def _gives_way(job: Job, start: float, period: Period, snapshot: Snapshot) -> bool:
    modes = period.excess.modes_of(job.demand)
    return job.checkpoint_uri is not None and _may_be_stopped(job, start, period.begins, modes, snapshot)


def _may_be_stopped(job: Job, start: float, at: datetime, modes: frozenset[Excess], snapshot: Snapshot) -> bool:
    """Whether the shrunk budget would have it stopped at that time, if it started at this one."""
    if modes <= {Excess.STOP}:
        return True
    if Excess.FINISH in modes:
        return False
    policy = snapshot.policy
    is_protected = start + policy.protected_run_time > at.timestamp()
    return not (job.never_preempt or job.preemptions >= policy.preemptions_per_job or is_protected)
