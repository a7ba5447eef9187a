"""Defines the plan: a cycle's decisions on jobs, with their reasons, and on warm pools."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from scheduler.core.history.metrics import QueueHead
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import KEEPS_INSTANCES, Reason
from scheduler.core.warm_pools.warm_pool import WarmPool


@dataclass(frozen=True, slots=True)
class Launch:
    job: Job
    reason: Reason
    subnet: str = ""  # the job's subnet to use; empty: all of them
    keep_alive: int = 0  # seconds that its instances are kept after its end
    pool: WarmPool | None = None  # the warm pool to take over


class Victim(NamedTuple):
    """Names a running job to stop for another job."""

    live: LiveJob
    continues_on: Demand = NOTHING  # the instances that an elastic job keeps for its next attempt


@dataclass(frozen=True, slots=True)
class Preempt:
    victim: LiveJob
    beneficiary: Job
    reason: Reason
    continues_on: Demand = NOTHING  # as in Victim


@dataclass(frozen=True, slots=True)
class Evict:
    """Stops a job because the budget was shrunk or a spending limit is used up, not for another job."""

    victim: LiveJob
    reason: Reason


@dataclass(frozen=True, slots=True)
class Grow:
    """Stops an elastic job to restart it on more instances, which no waiting job can use."""

    live: LiveJob
    wider: Job  # the job, set to the instances on which it is expected to continue
    reason: Reason


class Wait(NamedTuple):
    job: Job
    reason: Reason


@dataclass(frozen=True, slots=True)
class Waits:
    """Lists the waiting jobs and their reasons in queue order. Jobs that a spending limit holds back come last.

    The list may be long, and creating an object for each job would take as long as the decision itself.
    """

    jobs: Sequence[Job] = ()
    reasons: Sequence[Reason] = ()

    def __iter__(self) -> Iterator[Wait]:
        return map(Wait, self.jobs, self.reasons)


@dataclass(frozen=True, slots=True)
class Park:
    """Parks a job that cannot run until an operator or its user acts, so that it blocks no other job in the queue."""

    job: Job
    reason: Reason


@dataclass(frozen=True, slots=True)
class Reservation:
    """Reserves a start for a job that does not fit yet. Jobs behind it may pass only if they cannot delay it."""

    job: Job
    starts_at: datetime | None  # None: the ends of running jobs will not free enough instances


@dataclass(frozen=True, slots=True)
class Plan:
    """Holds all decisions of a cycle. Each queued job in the snapshot is in one of launches, waits and parks."""

    launches: tuple[Launch, ...] = ()
    preemptions: tuple[Preempt, ...] = ()
    evictions: tuple[Evict, ...] = ()
    growths: tuple[Grow, ...] = ()
    waits: Waits = Waits()
    parks: tuple[Park, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    releases: tuple[WarmPool, ...] = ()  # the warm pools to end, because their instances are needed

    @property
    def victim_names(self) -> frozenset[str]:
        preempted = {entry.victim.job.name for entry in self.preemptions}
        return frozenset(preempted | {entry.victim.job.name for entry in self.evictions})

    @property
    def changes_nothing(self) -> bool:
        stops = self.preemptions or self.evictions or self.growths
        return not (self.launches or self.releases or stops or self.parks)

    @property
    def jobs_with_instances(self) -> Iterator[Job]:
        """Yields the jobs that start or grow, then the waiting jobs for which the plan keeps instances."""
        yield from (entry.job for entry in self.launches)
        yield from (entry.wider for entry in self.growths)
        yield from (job for job, reason in self.waits if reason.code in KEEPS_INSTANCES)

    @property
    def queue_head(self) -> QueueHead:
        """Returns the first waiting job, as metrics report it."""
        for job, reason in self.waits:
            of_job = (job.options.priority, job.spec.demand, job.owner, job.options.team, job.waits_since)
            return QueueHead(job.name, reason.code, reason.message, *of_job)
        return QueueHead()

    def reason_for(self, job_name: str) -> Reason | None:
        entry = self.entry_for(job_name)
        return entry.reason if entry else None

    def entry_for(self, job_name: str) -> Launch | Wait | Park | None:
        entries: tuple[Launch | Wait | Park, ...] = (*self.launches, *self.waits, *self.parks)
        return next((entry for entry in entries if entry.job.name == job_name), None)
