"""Decides when to stop an attempt that waits for its instances, so that its job can start on another alternative."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from scheduler.core.capacity.capacity_memory import LONG_WAIT, CapacityMemory
from scheduler.core.capacity.locations import Location, locations_in, locations_of, subnets_of
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode


def open_alternatives(live: LiveJob, observation: Observation, memory: CapacityMemory, now: datetime) -> Iterator[Job]:
    """Yields the job with each open alternative, once the attempt has waited for its instances long enough.

    The order is the user's. Long enough is ten minutes, or the alternative's `wait_for_better` if that is longer.
    """
    since = live.attempt.without_instances_since(observation)
    if since is None or live.job.status.state is not JobState.RUNNING:
        return
    lacking = {shortage.location for shortage in memory.shortages} | set(locations_of(live))
    for option in live.job.each_choice:
        patience = max(LONG_WAIT, timedelta(seconds=option.spec.wait_for_better))
        is_open = _is_narrower(option, live) or _is_open(option, lacking)
        if option.spec.choice != live.job.spec.choice and now - since >= patience and is_open:
            yield option


def reason_to_switch(live: LiveJob, observation: Observation, now: datetime) -> Reason:
    since = live.attempt.without_instances_since(observation) or now
    minutes = (now - since) // timedelta(minutes=1)
    message = f"SageMaker has had no {live.attempt.demand} for {minutes} min: the job restarts on another choice"
    return Reason(ReasonCode.CAPACITY, message)


def _is_open(option: Job, lacking: set[Location]) -> bool:
    return any(lacking.isdisjoint(locations_in(option, (subnet,))) for subnet in subnets_of(option))


def _is_narrower(option: Job, live: LiveJob) -> bool:
    """Returns whether an elastic job could use fewer instances. SageMaker may have these, although it lacks more."""
    return option.options.instances is not None and option.spec.choice > live.job.spec.choice
