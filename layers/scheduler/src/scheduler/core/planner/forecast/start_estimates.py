"""When waiting jobs may start, as a range: the queue is played forward twice, with expected run times and with limits.

Each instance type is played by itself, in the order of the plan and without passing. Jobs submitted later with a higher
priority can make it later than the range says; passing and early ends can make it earlier.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple

from attrs import frozen

from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.placement.calendar_horizon import CalendarHorizon
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.snapshot import Snapshot

_RunTime = Callable[[Job], float]


@frozen
class Starts:
    earliest: datetime | None  # None: not before somebody acts
    latest: datetime | None
    after: str  # the job whose end is expected to give it its place; empty if none has to end


class _Start(NamedTuple):
    at: float
    after: str


def estimated_starts(snapshot: Snapshot, decided: Plan, now: datetime) -> dict[str, Starts]:
    """For each job that waits, by name."""
    expected = _play(snapshot, decided, now, snapshot.history.expected_run_time)
    latest = {name: start.at for name, start in _play(snapshot, decided, now, lambda job: job.max_runtime).items()}
    allowed = _allowed(snapshot, decided, now.timestamp())
    # What is reserved is proven: nobody who is played ahead of it can make it later.
    latest |= {one.job.name: one.starts_at.timestamp() if one.starts_at else inf for one in decided.reservations}
    return {
        name: Starts(
            _moment(max(min(expected[name].at, latest[name]), allowed.get(name, -inf))),
            _moment(max(latest[name], allowed.get(name, -inf))),
            expected[name].after,
        )
        for name in (wait.job.name for wait in decided.waits)
    }


def _allowed(snapshot: Snapshot, decided: Plan, now: float) -> dict[str, float]:
    """From when on the calendar allows each job to start."""
    if not snapshot.periods:
        return {}
    horizon = CalendarHorizon(snapshot, now)
    return {wait.job.name: horizon.earliest(wait.job) for wait in decided.waits}


def _play(snapshot: Snapshot, decided: Plan, now: datetime, run_time: _RunTime) -> dict[str, _Start]:
    starts: dict[str, _Start] = {}
    # Of the types that are wanted: an operator's budget may leave some out.
    for kind in sorted({kind for wait in decided.waits for kind in wait.job.demand}):
        for name, start in _play_type(kind, snapshot, decided, now.timestamp(), run_time).items():
            starts[name] = max(start, starts.get(name, start))
    return starts


def _play_type(kind: str, snapshot: Snapshot, decided: Plan, now: float, run_time: _RunTime) -> dict[str, _Start]:
    staying = _staying(snapshot, decided)
    endings = [
        (max(now, live.started_at.timestamp() + run_time(live.job)), live.job.name, live.attempt.demand[kind])
        for live in staying
    ]
    free = snapshot.budget.limit[kind] - snapshot.held_by_unmanaged_jobs[kind] - sum(count for *_, count in endings)
    endings += [(max(now, at), name, change[kind]) for at, change, name in CalendarHorizon(snapshot, now).changes()]
    heapify(endings)
    start, starts = _Start(now, ""), {}
    starting = [launch.job for launch in decided.launches]
    for job in (*starting, *(wait.job for wait in decided.waits)):
        need = job.demand[kind]
        while free < need and endings:
            at, name, count = heappop(endings)
            free += count
            start = _Start(max(start.at, at), name)
        if need:
            starts[job.name] = start if free >= need else _Start(inf, "")
            free -= need
            heappush(endings, (start.at + run_time(job), job.name, need))
    return starts


def _staying(snapshot: Snapshot, decided: Plan) -> list[LiveJob]:
    victims = decided.victims
    return [live for live in snapshot.live if live.job.state is not JobState.STOPPING and live.job.name not in victims]


def _moment(at: float) -> datetime | None:
    return None if at == inf else datetime.fromtimestamp(at, UTC)
