"""Chooses the subnet in which a plan starts a job, and avoids locations where SageMaker recently had no instances.

After a shortage, no job starts at the location for a while. Then one attempt at a time probes the location, until an
attempt gets its instances. Jobs that wait for a location delay no other job.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from scheduler.core.capacity.capacity_learning import lacked_instances
from scheduler.core.capacity.capacity_memory import LONG_WAIT
from scheduler.core.capacity.locations import Location, is_kept_together, locations_in, locations_of, subnets_of
from scheduler.core.jobs.attempt import FailureClass
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.snapshot import Snapshot


class ShortageAvoidance:
    def __init__(self, snapshot: Snapshot, now: datetime) -> None:
        self._now = now
        self._shortages = {shortage.location: shortage for shortage in snapshot.capacity.shortages}
        self._interruptions = {entry.location: entry.count for entry in snapshot.capacity.interruptions}
        self._probes = dict(self._probes_in_progress(snapshot)) if self._shortages else {}

    def subnet_for(self, job: Job) -> str | None:
        """Returns the subnet for the next attempt, "" for all subnets in the request, or None if all must wait."""
        if not self._shortages and not is_kept_together(job):
            return ""
        quantifier = any if job.spec.has_preferences else all  # SageMaker tries the next preference itself
        available = [
            subnet
            for subnet in subnets_of(job)
            if quantifier(self._is_available(location) for location in locations_in(job, (subnet,)))
        ]
        if not available:
            return None
        return min(available, key=lambda subnet: self._rank(job, subnet)) if is_kept_together(job) else ""

    def record_start(self, job: Job, subnet: str) -> None:
        """Records that the job starts in this subnet, or that instances are being freed for it to start there."""
        if self._shortages:
            for location in locations_in(job, (subnet,) if subnet else subnets_of(job)):
                self._probes.setdefault(location, job.name)

    def shortage_reason(self, job: Job) -> Reason:
        locations = [location for location in locations_in(job, subnets_of(job)) if not self._is_available(location)]
        soonest = min(locations, key=lambda location: self._shortages[location].until)
        shortage = self._shortages[soonest]
        message = f"SageMaker had no {soonest} at {_in_utc(shortage.failed_at)}; "
        if shortage.until > self._now:
            message += f"the next try is due at {_in_utc(shortage.until)}"
        else:
            message += f"{self._probes[soonest]} is trying now"
        return Reason(ReasonCode.WAITS_FOR_CAPACITY, message)

    def is_due(self, job: Job) -> bool:
        """Returns whether the job's own pause after a failure allows its next attempt now.

        After a capacity failure, the remembered shortage decides when the job starts, not its pause. The pause applies
        only if no shortage is remembered: if the failure does not show that SageMaker had no instances, or if the same
        choice is tried again and has several instance types.
        """
        if job.status.not_before is None or job.status.not_before <= self._now:
            return True
        last = job.status.history[-1] if job.status.history else None
        if last is None or last.failure_class is not FailureClass.CAPACITY or not lacked_instances(last):
            return False
        return job.spec.choice != last.choice or job.spec.has_preferences or len(job.spec.demand.counts) == 1

    def _is_available(self, location: Location) -> bool:
        shortage = self._shortages.get(location)
        return shortage is None or (shortage.until <= self._now and location not in self._probes)

    def _rank(self, job: Job, subnet: str) -> tuple[int, int]:
        """Ranks a subnet by its failures, then by its interruptions. In a tie, the request's first subnet wins."""
        locations = locations_in(job, (subnet,))
        failures = sum(self._shortages[location].failures for location in locations if location in self._shortages)
        return failures, sum(self._interruptions.get(location, 0) for location in locations)

    def _probes_in_progress(self, snapshot: Snapshot) -> Iterator[tuple[Location, str]]:
        """Yields the locations being probed, each with the name of the probing job, sorted by these names."""
        for live in sorted(snapshot.live, key=lambda live: live.job.name):
            for location in self._locations_of(live):
                shortage = self._shortages.get(location)
                # Attempts reserved before the shortage are not probes: they may wait forever.
                if shortage and live.attempt.reserved_at >= shortage.failed_at:
                    yield location, live.job.name

    def _locations_of(self, live: LiveJob) -> Iterable[Location]:
        """Returns the locations that the live job may probe.

        For an unreadable record, only the instance types are known. The end of such a job updates no shortage, so
        other jobs wait for it no longer than LONG_WAIT.
        """
        if live.is_readable or live.attempt.on_pool:
            return locations_of(live)
        if live.is_known_to_train or self._now - live.attempt.reserved_at >= LONG_WAIT:
            return []
        return [location for location in self._shortages if location.instance_type in live.attempt.demand]


def _in_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
