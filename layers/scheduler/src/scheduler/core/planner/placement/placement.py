"""Where a plan in the making may start jobs, as far as SageMaker had instances there lately.

Where it had none nobody tries for a while, and then one attempt at a time, until one gets its instances. Who waits for
that holds up nobody else.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from scheduler.core.capacity.capacity import LONG_WAIT, Place, Shortage
from scheduler.core.capacity.locations import is_kept_together, locations_in, locations_of, subnets_of
from scheduler.core.jobs.failure_class import FailureClass
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.snapshot import Snapshot


class Placement:
    def __init__(self, snapshot: Snapshot, now: datetime) -> None:
        self._now = now
        self._shortages = {known.place: known for known in snapshot.capacity.shortages}
        self._interruptions = {known.place: known.count for known in snapshot.capacity.interruptions}
        self._probes = dict(self._under_way(snapshot)) if self._shortages else {}

    def subnet_for(self, job: Job) -> str | None:
        """Which of its subnets to send it to, "" for all that it names; None where there is nothing to be had."""
        if not self._shortages and not is_kept_together(job):
            return ""
        open_ones = [subnet for subnet in subnets_of(job) if self._is_open(job, subnet)]
        if not open_ones:
            return None
        return min(open_ones, key=lambda subnet: self._rank(job, subnet)) if is_kept_together(job) else ""

    def take(self, job: Job, subnet: str) -> None:
        """The job starts there, or instances are being freed for it."""
        if self._shortages:
            for place in locations_in(job, (subnet,) if subnet else subnets_of(job)):
                self._probes.setdefault(place, job.name)

    def why_closed(self, job: Job) -> Reason:
        places = [place for place in locations_in(job, subnets_of(job)) if not self._is_free(place)]
        soonest = min(places, key=lambda place: self._shortages[place].until)
        known = self._shortages[soonest]
        message = f"SageMaker had no {soonest} at {known.failed_at.isoformat(timespec='seconds')}; "
        if known.until > self._now:
            return _reason(f"{message}the next try is due at {known.until.isoformat(timespec='seconds')}")
        return _reason(f"{message}{self._probes[soonest]} is trying whether there is some again")

    def is_due(self, job: Job) -> bool:
        """Whether its next attempt may start by now. What lacks capacity is told by the shortage, not by each job."""
        return job.not_before is None or job.not_before <= self._now or _waits_for_capacity_only(job)

    def _is_open(self, job: Job, subnet: str) -> bool:
        some = any if job.has_preferences else all  # SageMaker goes on to the next preference itself
        return some(self._is_free(place) for place in locations_in(job, (subnet,)))

    def _is_free(self, place: Place) -> bool:
        known = self._shortages.get(place)
        return known is None or (known.until <= self._now and place not in self._probes)

    def _rank(self, job: Job, subnet: str) -> tuple[int, int]:
        """The less was lacking and taken away, the better; among equals the first one that the job names."""
        places = locations_in(job, (subnet,))
        failures = sum(self._shortages[place].failures for place in places if place in self._shortages)
        return failures, sum(self._interruptions.get(place, 0) for place in places)

    def _under_way(self, snapshot: Snapshot) -> Iterator[tuple[Place, str]]:
        """Several may be at it: whoever is last by name is told of, in whatever order they were read."""
        for live in sorted(snapshot.live, key=lambda live: live.job.name):
            for place in self._places_of(live):
                if place in self._shortages and _is_probe(live.attempt.reserved_at, self._shortages[place]):
                    yield place, live.job.name

    def _places_of(self, live: LiveJob) -> Iterable[Place]:
        """Of one whose record cannot be read only the types are known. It teaches nothing, so others wait briefly."""
        if live.is_readable or live.attempt.on_pool:
            return locations_of(live)
        if live.is_known_to_train or self._now - live.attempt.reserved_at >= LONG_WAIT:
            return []
        return [place for place in self._shortages if place.instance_type in live.attempt.demand]


def _is_probe(reserved_at: datetime, known: Shortage) -> bool:
    """Attempts from before that are no probes: they may wait for ever."""
    return reserved_at >= known.failed_at


def _waits_for_capacity_only(job: Job) -> bool:
    last = job.history[-1] if job.history else None
    if last is None or last.failure_class is not FailureClass.CAPACITY:
        return False
    return job.choice != last.choice or job.has_preferences or len(job.demand.counts) == 1


def _reason(message: str) -> Reason:
    return Reason(ReasonCode.WAITS_FOR_CAPACITY, message)
