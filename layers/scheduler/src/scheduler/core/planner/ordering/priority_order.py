"""Sorts jobs by priority, then by waiting time or expected run time, then by name."""

from collections.abc import Iterable
from operator import attrgetter

from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.job import Job
from scheduler.core.planner.policy import Ordering


def sort_by_priority(jobs: Iterable[Job], ordering: Ordering, runtime_stats: RuntimeStats) -> list[Job]:
    """Returns the jobs by priority, then jobs moved to the top, then by the ordering; names make it deterministic.

    The sorts are stable, so the last one decides first. One sort by a tuple for each job would trigger the garbage
    collector, which takes longer than these sorts.
    """
    ordered = sorted(jobs, key=attrgetter("name"))
    ordered.sort(key=attrgetter("submitted_at"))
    if ordering is Ordering.SHORTEST:
        ordered.sort(key=runtime_stats.expected_run_time)
    ordered.sort(key=_top_position)
    ordered.sort(key=attrgetter("priority"), reverse=True)
    return ordered


def _top_position(job: Job) -> float:
    """Returns a sort key that puts jobs moved to the top first, the last moved before those moved earlier."""
    return -job.on_top_since.timestamp() if job.on_top_since else 0.0
