"""When an attempt that waits for its instances is stopped, because its job may take another choice."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from scheduler.core.capacity.capacity import LONG_WAIT, CapacityMemory, Place
from scheduler.core.capacity.locations import locations_in, locations_of, subnets_of
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.retries.leaving_spot import waits_since


def choices_elsewhere(live: LiveJob, observation: Observation, memory: CapacityMemory, now: datetime) -> Iterator[Job]:
    """The job with each other choice that it may have instances with, the best first.

    It gets ten minutes with its own, or as long as the other choice is to wait for better ones.
    """
    since = waits_since(live.attempt, observation)
    if since is None or live.job.state is not JobState.RUNNING:
        return
    lacking = {known.place for known in memory.shortages} | set(locations_of(live))
    for option in live.job.each_choice:
        patience = max(LONG_WAIT, timedelta(seconds=_wait_for_better(option)))
        if option.choice != live.job.choice and now - since >= patience and _is_open(option, lacking):
            yield option


def why_it_goes_on_with(option: Job, live: LiveJob, observation: Observation, now: datetime) -> Reason:
    since = waits_since(live.attempt, observation) or now
    message = f"SageMaker has had no {live.attempt.demand} for {(now - since) // timedelta(minutes=1)} min: "
    return Reason(ReasonCode.CAPACITY, f"{message}it goes on with {option.demand}")


def _wait_for_better(option: Job) -> int:
    return option.choices[option.choice].wait_for_better if option.choices else 0


def _is_open(option: Job, lacking: set[Place]) -> bool:
    return any(lacking.isdisjoint(locations_in(option, (subnet,))) for subnet in subnets_of(option))
