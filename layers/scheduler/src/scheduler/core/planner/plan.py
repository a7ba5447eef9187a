"""What a cycle is going to do, entry by entry, each with its reason."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from attrs import frozen

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason


@frozen
class Launch:
    job: Job
    reason: Reason
    subnet: str = ""  # the one of the job's to send it to; else all of them
    keep_alive: int = 0  # seconds
    pool: Attempt | None = None  # the warm pool that it is to take over


@frozen
class Preempt:
    victim: LiveJob
    beneficiary: Job
    reason: Reason


@frozen
class Evict:
    """The job is stopped for nobody's benefit: the budget was shrunk, and the operator wants it kept at once."""

    victim: LiveJob
    reason: Reason


@frozen
class Release:
    """The warm pool goes, because its instances are needed."""

    pool: Attempt


class Wait(NamedTuple):
    job: Job
    reason: Reason


@frozen
class Waits:
    """Who waits and why, in queue order, those that a spending limit holds at the end.

    There may be 100,000, and an object for each takes as long as deciding.
    """

    jobs: Sequence[Job] = ()
    reasons: Sequence[Reason] = ()

    def __iter__(self) -> Iterator[Wait]:
        return map(Wait, self.jobs, self.reasons)


@frozen
class Park:
    """The job cannot run until somebody acts; it must not block the others."""

    job: Job
    reason: Reason


@frozen
class Reservation:
    """The place of a job that does not fit yet: jobs behind it may pass only if they cannot delay this start."""

    job: Job
    starts_at: datetime | None  # None: nothing that runs will ever make room


@frozen
class Plan:
    """Every queued job of the snapshot is in exactly one of launches, waits and parks."""

    launches: tuple[Launch, ...] = ()
    preemptions: tuple[Preempt, ...] = ()
    evictions: tuple[Evict, ...] = ()
    waits: Waits = Waits()
    parks: tuple[Park, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    releases: tuple[Release, ...] = ()

    @property
    def victims(self) -> frozenset[str]:
        """Names of the jobs that are to be stopped."""
        preempted = {entry.victim.job.name for entry in self.preemptions}
        return frozenset(preempted | {entry.victim.job.name for entry in self.evictions})

    def reason_for(self, job_name: str) -> Reason | None:
        entries: tuple[Launch | Wait | Park, ...] = (*self.launches, *self.waits, *self.parks)
        return next((entry.reason for entry in entries if entry.job.name == job_name), None)
