"""Defines the records in the in-memory store, and the conditions of its writes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.history.callbacks.callback import Callback
from scheduler.core.jobs.attempt import Attempt, EndedAttempt
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import JudgedQueue, Lease
from scheduler.core.reconciliation.rate_limit import RateLimits
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.requests.arrays.children import ChildRequests
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.core.requests.arrays.parameters import ParameterSets
from scheduler.core.sections.controls import Controls
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import LeaseLost, StaleJob
from scheduler.ports.job_store import SCHEDULE, WAKING


@dataclass
class MemoryRecords:
    """Holds all records. Its subclasses implement the store's ports."""

    jobs: dict[str, Job] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    #: Attempts that have moved out of their job's record, by the job's name.
    ended_attempts: dict[str, dict[tuple[int, datetime], EndedAttempt]] = field(default_factory=dict)
    warm_pools: dict[str, WarmPool] = field(default_factory=dict)  # by name of the attempt that left it
    learned: Learned = field(default_factory=Learned)
    callbacks: dict[tuple[str, str], Callback] = field(default_factory=dict)  # open ones, by job and key
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)  # names of jobs by owner and client token
    controls: Controls = field(default_factory=Controls)
    past_controls: list[Controls] = field(default_factory=list)
    fence: int = 0
    wake_requests: int = 0
    lease_expires_at: datetime | None = None
    rate_limits: RateLimits = field(default_factory=dict)
    swept_until: datetime | None = None
    sweep_due: bool = False
    judged_queue: JudgedQueue = field(default_factory=JudgedQueue)
    parked_token: str | None = None
    successors_token: str | None = None
    arrays_token: str | None = None
    arrays: dict[str, JobArray] = field(default_factory=dict)
    array_bodies: dict[str, tuple[ChildRequests, ParameterSets]] = field(default_factory=dict)
    last_idle_until: datetime | None = None
    woken_at: datetime | None = None
    last_reconciliation: ReconciliationState = field(default_factory=ReconciliationState)  # of training jobs
    last_processing_reconciliation: ReconciliationState = field(default_factory=ReconciliationState)
    capacity_memory: CapacityMemory = field(default_factory=CapacityMemory)
    spending_counts: dict[SpentTimeKey, SpentTime] = field(default_factory=dict)
    wake_ups: int = 0  # how many changes the table's stream would have passed on to the scheduler
    on_change: Callable[[Job, str], object] = lambda _job, _by: None  # called with each new version and its writer

    def _held(self) -> Demand:
        pools = (pool.demand for pool in self.warm_pools.values())
        return total([*(attempt.demand for attempt in self.attempts.values()), *pools])

    def _queued(self) -> Iterator[Job]:
        return (job for job in self.jobs.values() if job.is_queued)

    def _check_version(self, job: Job) -> None:
        stored = self.jobs.get(job.name)
        if stored is None or stored.version != job.version:
            raise StaleJob(job.name)

    def _check_fence(self, lease: Lease) -> None:
        if lease.fence != self.fence:
            raise LeaseLost(f"fence {lease.fence}")

    def _write(self, job: Job, by: str = SCHEDULE) -> Job:
        written = replace(job, version=job.version + 1)
        self.jobs[job.name] = written
        self.on_change(written, by)
        return written

    def _wake(self, by: str) -> None:
        self.wake_ups += by in WAKING
