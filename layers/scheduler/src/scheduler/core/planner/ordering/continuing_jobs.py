"""Lets jobs that change their width continue before jobs of equal rank, which would otherwise take their instances."""

from collections.abc import Callable

from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.fair_share import Rank


def move_continuing_first(ordered: list[Job], rank_of: Callable[[Job], Rank]) -> list[Job]:
    """Moves each job that changes its width to the front of its rank. Jobs of higher rank still start before it."""
    continuing = [job for job in ordered if job.continues]
    if not continuing:
        return ordered
    result = [job for job in ordered if not job.continues]
    for job in reversed(continuing):
        equal = next((at for at, other in enumerate(result) if rank_of(other) <= rank_of(job)), len(result))
        result.insert(equal, job)
    return result


def at_kept_width(job: Job) -> Job:
    """Returns a job that continues, set to the instances that are kept for it."""
    return job if job.is_narrowed else job.with_choice_for(job.demand_of(job.status.history[-1]))
