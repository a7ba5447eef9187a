"""Lets narrowed jobs continue before jobs of equal rank, which would otherwise take the instances held for them."""

from collections.abc import Callable

from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.fair_share import Rank


def move_narrowed_first(ordered: list[Job], rank_of: Callable[[Job], Rank]) -> list[Job]:
    """Moves each narrowed job to the front of its rank. Jobs of higher rank still start before it."""
    narrowed = [job for job in ordered if job.is_narrowed]
    if not narrowed:
        return ordered
    result = [job for job in ordered if not job.is_narrowed]
    for job in reversed(narrowed):
        equal = next((at for at, other in enumerate(result) if rank_of(other) <= rank_of(job)), len(result))
        result.insert(equal, job)
    return result
