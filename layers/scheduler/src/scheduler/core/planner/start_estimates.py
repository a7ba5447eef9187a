"""Estimates a range for the start of each waiting job. It simulates the queue with expected run times and time limits.

Each instance type is simulated separately, in the order of the plan and without backfill. A job may start later than
its range if users submit jobs with higher priority. It may start earlier through backfill, or if other jobs end early.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple

from scheduler.core.jobs.job import Job
from scheduler.core.planner.elastic.narrowing import continued_jobs
from scheduler.core.planner.placement.calendar_horizon import CalendarHorizon
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.snapshot import Snapshot

_RunTime = Callable[[Job], float]


@dataclass(frozen=True, slots=True)
class StartEstimate:
    earliest: datetime | None  # None: not until an operator or a user acts
    latest: datetime | None
    after: str  # the job whose end is expected to free the instances; empty if no job must end


class _Start(NamedTuple):
    at: float
    after: str


def estimate_starts(snapshot: Snapshot, decided: Plan, now: datetime) -> dict[str, StartEstimate]:
    """Returns the estimate for each waiting job, by name."""
    expected = _simulate(snapshot, decided, now, snapshot.runtime_stats.expected_run_time)
    by_limits = _simulate(snapshot, decided, now, lambda job: job.spec.max_runtime)
    latest = {name: start.at for name, start in by_limits.items()}
    horizon = CalendarHorizon(snapshot, now.timestamp())
    waiting = [wait.job for wait in decided.waits]
    allowed = {job.name: horizon.earliest_start(job) for job in waiting} if snapshot.periods else {}
    # A reservation is certain: no job simulated ahead of it can delay it.
    latest |= {
        reservation.job.name: reservation.starts_at.timestamp() if reservation.starts_at else inf
        for reservation in decided.reservations
    }
    return {
        name: StartEstimate(
            _to_datetime(max(min(expected[name].at, latest[name]), allowed.get(name, -inf))),
            _to_datetime(max(latest[name], allowed.get(name, -inf))),
            expected[name].after,
        )
        for name in (job.name for job in waiting)
    }


def _simulate(snapshot: Snapshot, decided: Plan, now: datetime, run_time: _RunTime) -> dict[str, _Start]:
    starts: dict[str, _Start] = {}
    # The types come from the waiting jobs, since an operator's budget may leave out some of them.
    requested = {instance_type for wait in decided.waits for instance_type in wait.job.spec.demand}
    for instance_type in sorted(requested):
        for name, start in _simulate_type(instance_type, snapshot, decided, now.timestamp(), run_time).items():
            starts[name] = max(start, starts.get(name, start))
    return starts


def _simulate_type(
    instance_type: str, snapshot: Snapshot, decided: Plan, now: float, run_time: _RunTime
) -> dict[str, _Start]:
    victims = decided.victim_names
    endings = [
        (max(now, live.started_at.timestamp() + run_time(live.job)), live.job.name, live.attempt.demand[instance_type])
        for live in snapshot.staying
        if live.job.name not in victims
    ]
    endings += [
        (now + run_time(live.job), live.job.name, kept[instance_type])
        for live, kept in continued_jobs(snapshot, decided)
    ]
    free = snapshot.budget.limit[instance_type] - snapshot.held_by_unmanaged_jobs[instance_type]
    free -= sum(count for *_, count in endings)
    budget_changes = CalendarHorizon(snapshot, now).budget_changes()
    endings += [(max(now, change.at), "", change.demand[instance_type]) for change in budget_changes]
    heapify(endings)
    start, starts = _Start(now, ""), {}
    starting = [launch.job for launch in decided.launches]
    for job in (*starting, *(wait.job for wait in decided.waits)):
        need = job.spec.demand[instance_type]
        while free < need and endings:
            at, name, count = heappop(endings)
            free += count
            start = _Start(max(start.at, at), name)
        if need:
            starts[job.name] = start if free >= need else _Start(inf, "")
            free -= need
            heappush(endings, (start.at + run_time(job), job.name, need))
    return starts


def _to_datetime(at: float) -> datetime | None:
    return None if at == inf else datetime.fromtimestamp(at, UTC)
