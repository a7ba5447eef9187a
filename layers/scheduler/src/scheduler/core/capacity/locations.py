"""Defines the locations that instances come from, and decides whether an attempt is restricted to one subnet."""

from dataclasses import dataclass

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob

#: The subnets of a request without VpcConfig: SageMaker chooses the zone.
ANYWHERE = ("",)


@dataclass(frozen=True, slots=True)
class Location:
    """An instance type, on spot or on demand, in a subnet. Without a subnet, SageMaker chooses the zone."""

    instance_type: str
    spot: bool = False
    subnet: str = ""

    def __str__(self) -> str:
        return self.instance_type + " spot" * self.spot + (f" in {self.subnet}" if self.subnet else "")


def is_kept_together(job: Job) -> bool:
    """Returns whether the queue chooses one subnet, to keep several hosts in one zone.

    A single host may be in any zone.
    """
    counts = [count for _, count in job.spec.demand.counts]
    return len(job.spec.subnets) > 1 and (max(counts) if job.spec.has_preferences else sum(counts)) > 1


def subnets_of(job: Job) -> tuple[str, ...]:
    return job.spec.subnets or ANYWHERE


def locations_in(job: Job, subnets: tuple[str, ...]) -> tuple[Location, ...]:
    """Returns the locations in these subnets that the job's instances may come from."""
    return tuple(
        Location(instance_type, job.is_on_spot, subnet) for subnet in subnets for instance_type, _ in job.runs_on.counts
    )


def locations_of(live: LiveJob) -> tuple[Location, ...]:
    """Returns the locations in which SageMaker looks for the attempt's instances; none if it takes over a warm pool."""
    if live.attempt.on_pool:
        return ()
    chosen = (live.attempt.subnet,) if live.attempt.subnet else subnets_of(live.job)
    return locations_in(live.job, chosen)
