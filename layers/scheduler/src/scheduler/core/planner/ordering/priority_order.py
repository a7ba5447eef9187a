"""The order of the queue: priority, then who waits longest or is expected to run shortest, then name."""

from collections.abc import Iterable
from operator import attrgetter

from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.job import Job
from scheduler.core.planner.policy import Ordering


def sort_by_priority(jobs: Iterable[Job], ordering: Ordering, history: RuntimeStats) -> list[Job]:
    """Highest priority first, then whom somebody moved to the top, then by the setting; the name is for determinism.

    Each sort keeps the order of those before among equals: the last one decides first. A tuple for each job as its key
    would wake the garbage collector, which takes longer than the sorts.
    """
    ordered = sorted(jobs, key=attrgetter("name"))
    ordered.sort(key=attrgetter("submitted_at"))
    if ordering is Ordering.SHORTEST:
        ordered.sort(key=history.expected_run_time)
    ordered.sort(key=_turn)
    ordered.sort(key=attrgetter("priority"), reverse=True)
    return ordered


def _turn(job: Job) -> float:
    """Whom somebody moved to the top comes first, the last moved before those moved earlier."""
    return -job.on_top_since.timestamp() if job.on_top_since else 0.0
