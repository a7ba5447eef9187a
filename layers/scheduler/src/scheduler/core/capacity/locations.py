"""Where the instances of a job come from, and which of its subnets an attempt is sent to."""

from scheduler.core.capacity.capacity import Place
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob

#: A request without VpcConfig: wherever SageMaker likes.
ANYWHERE = ("",)


def is_kept_together(job: Job) -> bool:
    """Whether one of its subnets is chosen: instances that talk to each other belong in one zone.

    A single instance keeps all its subnets, for SageMaker then looks in each of their zones.
    """
    counts = [count for _, count in job.demand.counts]
    return len(job.subnets) > 1 and (max(counts) if job.has_preferences else sum(counts)) > 1


def subnets_of(job: Job) -> tuple[str, ...]:
    return job.subnets or ANYWHERE


def locations_in(job: Job, subnets: tuple[str, ...]) -> tuple[Place, ...]:
    is_spot = job.spot and not job.on_demand
    return tuple(Place(kind, is_spot, subnet) for subnet in subnets for kind, _ in job.runs_on.counts)


def locations_of(live: LiveJob) -> tuple[Place, ...]:
    """Where SageMaker looks for the attempt's instances: nowhere, if it takes over those of a warm pool."""
    if live.attempt.on_pool:
        return ()
    chosen = (live.attempt.subnet,) if live.attempt.subnet else subnets_of(live.job)
    return locations_in(live.job, chosen)
