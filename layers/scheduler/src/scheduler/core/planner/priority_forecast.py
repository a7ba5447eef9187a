"""Forecasts which jobs new priorities would stop or start at once, by comparing the plans before and after."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.jobs.job import Job
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PriorityForecast:
    """Names the jobs that the next cycle would preempt or start only because of new priorities."""

    preempts: tuple[str, ...]
    starts_now: tuple[str, ...]


def forecast_priorities(snapshot: Snapshot, changed: Sequence[Job], now: datetime) -> PriorityForecast:
    """Compares the current plan with the plan for these changed jobs, which are waiting or live. Changes nothing."""
    by_name = {job.name: job for job in changed}
    queued = [job for job in snapshot.queued if job.name not in by_name] + [job for job in changed if job.is_queued]
    live = [replace(live, job=by_name.get(live.job.name, live.job)) for live in snapshot.live]
    before, after = plan(snapshot, now), plan(replace(snapshot, queued=tuple(queued), live=tuple(live)), now)
    doomed = {entry.victim.job.name for entry in before.preemptions}
    started = {launch.job.name for launch in before.launches}
    victims = [entry.victim.job.name for entry in after.preemptions]
    return PriorityForecast(
        preempts=tuple(name for name in victims if name not in doomed),
        starts_now=tuple(launch.job.name for launch in after.launches if launch.job.name not in started),
    )
