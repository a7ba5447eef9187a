"""Updates the capacity memory with evidence from attempts: shortages, spot interruptions and refused warm pools.

A failure or a long wait closes the attempt's location; instances that arrive there reopen it. Each further failure in a
row lengthens the pause, up to a limit. An attempt that was reserved before the last known failure adds no shortage. Nor
does an attempt with several instance types, since it does not show which type was short. The exception is an attempt
for which SageMaker is to select one type: all of its types count as short until SageMaker has selected.

SageMaker does not report the quota for warm pools (aws-facts 2.53), so requests ask for a keep-alive period unless
Create refused one within the last day. Asking costs nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.core.capacity.capacity_memory import LONG_WAIT, CapacityMemory, Interruptions, RefusedPool, Shortage
from scheduler.core.capacity.locations import Location, locations_of
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, FailureClass, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.retries.failure_classes import diagnose

#: How long a live attempt's long wait counts as evidence. After that, other attempts may have received instances.
_COUNTS_FOR = timedelta(minutes=10)
#: Shortages that no attempt has probed for this long are forgotten, as are interruptions of the same age.
_FORGOTTEN_AFTER = timedelta(hours=24)
#: The number of entries of each kind to keep, so that the record stays far below DynamoDB's limit for an item.
_MOST_KEPT = 100

#: A function from the number of consecutive failures to the seconds before the next probe.
DelayOf = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class CapacityEvidence:
    """Evidence of capacity from one attempt. An attempt that neither got nor lacked instances shows nothing."""

    locations: tuple[Location, ...]
    reserved_at: datetime
    got_instances_at: datetime | None = None
    lacked_instances: bool = False
    interruptions: int = 0

    def is_new_to(self, memory: CapacityMemory) -> bool:
        shortages = [memory.shortage_of(location) for location in self.locations]
        if self.lacked_instances:
            return any(shortage is None or shortage.failed_at <= self.reserved_at for shortage in shortages)
        came_at = self.got_instances_at
        ends_shortage = came_at is not None and any(shortage and shortage.failed_at < came_at for shortage in shortages)
        return ends_shortage or self.interruptions > 0


def evidence_of_live(live: Iterable[LiveJob], now: datetime) -> Iterator[CapacityEvidence]:
    """Yields the evidence from live attempts, which either run or wait for their instances."""
    for live_job in live:
        attempt, observation = live_job.attempt, live_job.attempt.observation
        if not live_job.is_readable or observation is None:
            continue
        evidence = CapacityEvidence(locations_of(live_job), attempt.reserved_at)
        since = attempt.without_instances_since(observation)
        if since is None and live_job.job.awaits_selection:
            continue  # SageMaker has not said yet which instances it selected
        if since is None:
            came_at = observation.training_since or observation.training_started_at
            yield replace(evidence, got_instances_at=came_at)
        elif _applies_to_each_type(evidence, live_job.job) and LONG_WAIT <= now - since < LONG_WAIT + _COUNTS_FOR:
            yield replace(evidence, reserved_at=since, lacked_instances=True)


def evidence_of_end(live: LiveJob, ended: EndedAttempt) -> CapacityEvidence:
    """Returns the evidence from an attempt that has ended."""
    live = replace(live, job=replace(live.job, status=replace(live.job.status, selected=ended.selected)))
    came_at = None if live.job.awaits_selection else ended.training_started_at
    evidence = CapacityEvidence(locations_of(live), ended.reserved_at, came_at, interruptions=ended.interruptions)
    return replace(evidence, lacked_instances=lacked_instances(ended) and _applies_to_each_type(evidence, live.job))


def lacked_instances(ended: EndedAttempt) -> bool:
    """Returns whether the end of an attempt shows that SageMaker had no instances for it."""
    is_refused = diagnose(ended.failure_reason).failure is FailureClass.CAPACITY
    waited_long = ended.ended_at - ended.reserved_at >= LONG_WAIT
    return ended.training_started_at is None and (is_refused or waited_long)


def without_outdated(memory: CapacityMemory, now: datetime) -> CapacityMemory:
    """Returns the memory without shortages and interruptions that are too old to count."""
    shortages = (shortage for shortage in memory.shortages if now - shortage.until < _FORGOTTEN_AFTER)
    interruptions = (known for known in memory.interruptions if now - known.last_at < _FORGOTTEN_AFTER)
    return replace(memory, shortages=tuple(shortages), interruptions=tuple(interruptions))


def with_evidence(
    memory: CapacityMemory, evidence: CapacityEvidence, delay_of: DelayOf, now: datetime
) -> CapacityMemory:
    """Returns the memory with the evidence added and outdated entries removed."""
    memory = without_outdated(memory, now)
    shortages = {shortage.location: shortage for shortage in memory.shortages}
    came_at = evidence.got_instances_at
    for location in evidence.locations:
        known = shortages.get(location)
        if evidence.lacked_instances and (known is None or known.failed_at <= evidence.reserved_at):
            failures = known.failures + 1 if known else 1
            shortages[location] = Shortage(location, failures, now, now + timedelta(seconds=delay_of(failures)))
        elif not evidence.lacked_instances and came_at and known and known.failed_at < came_at:
            del shortages[location]
    latest = sorted(shortages.values(), key=lambda shortage: shortage.failed_at)[-_MOST_KEPT:]
    return replace(memory, shortages=tuple(latest), interruptions=_with_interruptions(memory, evidence, now))


def with_new_evidence(
    memory: CapacityMemory, evidence: Iterable[CapacityEvidence], delay_of: DelayOf, now: datetime
) -> CapacityMemory:
    """Returns the memory with the evidence that is new to it, or the memory unchanged if none is new."""
    for found in evidence:
        if found.is_new_to(memory):
            memory = with_evidence(memory, found, delay_of, now)
    return memory


def with_refused_pools(memory: CapacityMemory, attempt: Attempt, observation: Observation) -> CapacityMemory:
    """Returns the memory after an attempt has left a warm pool, or has been refused one for its instance types."""
    types = {*attempt.demand}
    others = tuple(refused for refused in memory.refused_pools if refused.instance_type not in types)
    if observation.left_pool:
        return replace(memory, refused_pools=others)
    if not attempt.was_refused_a_pool(observation) or others != memory.refused_pools:
        return memory
    since = observation.ended_at or observation.modified_at
    refused = (RefusedPool(instance_type, since) for instance_type in sorted(types))
    return replace(memory, refused_pools=(*others, *refused))


def with_refused_keep_alive(memory: CapacityMemory, attempt: Attempt, now: datetime) -> CapacityMemory:
    """Returns the memory after Create refused the attempt's keep-alive period but accepted the request without it."""
    types = {*attempt.demand}
    others = tuple(refused for refused in memory.refused_pools if refused.instance_type not in types)
    refused = (RefusedPool(instance_type, now, at_create=True) for instance_type in sorted(types))
    return replace(memory, refused_pools=(*others, *refused))


def _with_interruptions(memory: CapacityMemory, evidence: CapacityEvidence, now: datetime) -> tuple[Interruptions, ...]:
    known = {interruptions.location: interruptions for interruptions in memory.interruptions}
    for location in evidence.locations if evidence.interruptions else ():
        before = known.pop(location).count if location in known else 0
        known[location] = Interruptions(location, before + evidence.interruptions, now)
    return tuple(known.values())[-_MOST_KEPT:]


def _applies_to_each_type(evidence: CapacityEvidence, job: Job) -> bool:
    return job.awaits_selection or len({location.instance_type for location in evidence.locations}) == 1
