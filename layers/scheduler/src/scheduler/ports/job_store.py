"""The stores of the queue's jobs, apart from lists: records, live attempts, warm pools, and what was learned.

Every write is one conditional transaction. Repeated, as after a lost answer, it may succeed but never counts twice.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.ports.job_index import JobIndex
from scheduler.ports.training import TrainingRequest

NO_JOBS: Mapping[str, Job] = MappingProxyType({})
#: For a settled attempt that adds nothing to what was learned.
NOTHING_LEARNED = Learned()
IDLE_ALARM = "idle_alarm"
#: The functions whose changes of the queue wake the scheduler: the stream's filter in template.yaml names them too.
WAKING = frozenset({"api", "training_events", IDLE_ALARM})


class JobStore(Protocol):
    """Jobs by name, with their requests."""

    def submit(self, job: Job, *requests: TrainingRequest) -> None:
        """Adds a new job, the request of each choice and its client token, if any. Raises NameTaken or TokenReused."""

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        """Returns the name of the job that this owner key (`Job.owner_key`) submitted with this token."""

    def get(self, name: str) -> Job:
        """Raises UnknownJob."""

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        """Returns the body of this choice; the first is as submitted. Raises UnreadableBody or BodyUnavailable."""

    def save(self, job: Job, *, by: str) -> Job:
        """Writes a change that leaves the budget as it is, and returns the job's new version. Raises StaleJob.

        `by` names the function that writes: changes by one of WAKING wake the scheduler.
        """


class LiveAttempts(Protocol):
    """The attempts that hold budget, as anyone may read them, and SageMaker's observations of them."""

    def live(self, known: Mapping[str, Job] = NO_JOBS, /, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        """Returns every attempt that holds budget, with its job. May lag without `consistent`.

        `known` jobs, read before, are not read again unless a cycle has written them since.
        """

    def attempt(self, name: str) -> Attempt | None:
        """Returns the live attempt of that name, if there is one."""

    def record_observation(self, attempt_name: str, observation: Observation, *, by: str) -> bool:
        """Records and returns whether it is newer than the last one. A terminal one also sets `needs_polling`."""


class Reservations(Protocol):
    """Writes of the lease's holder: an attempt reserves budget, changes, and releases it."""

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease, pool: WarmPool | None = None) -> Job:
        """Writes the launching job and reserves its demand within the budget. Raises StaleJob, OverBudget or LeaseLost.

        A `pool` to take over is lent: its reservation moves to the attempt.
        """

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        """Writes the job, and only `created` and `stop_sent` of its attempt. Raises StaleJob or LeaseLost."""

    def narrow(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        """Writes the job, and reserves only what SageMaker selected. Raises StaleJob or LeaseLost."""

    def record_sent_at(self, attempt: Attempt, sent_at: datetime, lease: Lease) -> Attempt:
        """Writes a new `sent_at` of a live attempt if the old one is unchanged. Raises StaleJob or LeaseLost."""

    def settle(
        self,
        job: Job,
        attempt: Attempt,
        lease: Lease,
        learned: Learned = NOTHING_LEARNED,
        *,
        keeps_instances: bool = False,
    ) -> Job:
        """Writes the job, deletes the attempt, frees its budget, saves what was learned. Raises StaleJob or LeaseLost.

        Kept instances become a pool, which holds their budget. A lent pool that still exists gets its budget back.
        """

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        """Writes the job with a live attempt, even over budget; it replaces `lost`. Raises StaleJob or LeaseLost."""


class WarmPoolStore(Protocol):
    """Warm pools: attempts that ended and still hold budget."""

    def pools(self) -> tuple[WarmPool, ...]:
        """Returns all warm pools. Consistent."""

    def remove_pool(
        self,
        pool: WarmPool,
        lease: Lease,
        taker: Attempt | None = None,
        lent_to_taker: WarmPool | None = None,
        learned: Learned = NOTHING_LEARNED,
    ) -> None:
        """Deletes the pool, releases its budget, saves what was learned. Raises StaleJob or LeaseLost.

        Updates `taker`, the live attempt that took it over. `lent_to_taker`, another pool lent to it, takes its place.
        """

    def end_pool_loan(self, pool: WarmPool, lease: Lease) -> None:
        """Lets a pool that its attempt did not take over hold budget again, too. Raises StaleJob or LeaseLost."""


class LearnedStore(Protocol):
    """The statistics of ended attempts: run times, the usage of teams, and spending."""

    def read_learned(self, owners: Collection[str], teams: Collection[str], *, consistent: bool = True) -> Learned:
        """Returns what was learned of these owners and teams. May lag without `consistent`."""

    def spent(self, keys: Collection[SpentTimeKey]) -> Mapping[SpentTimeKey, SpentTime | None]:
        """Returns the counts of spending that exist; None for an unreadable count. Consistent."""

    def spent_in(self, month: str) -> Mapping[SpentTimeKey, SpentTime | None]:
        """Returns all counts of spending of this month; None for an unreadable count."""


class SchedulerState(Protocol):
    """The state that one cycle leaves to the next."""

    def reconciliation_state(self) -> ReconciliationState:
        """Returns the state of the reconciliation, empty at first. Consistent."""

    def save_reconciliation_state(self, reconciliation_state: ReconciliationState, lease: Lease) -> None:
        """Raises LeaseLost."""

    def capacity(self) -> CapacityMemory:
        """Returns the capacity memory, empty at first. Consistent."""

    def save_capacity(self, memory: CapacityMemory, lease: Lease) -> None:
        """Raises LeaseLost."""

    def correct_ledger(self, held: Demand, lease: Lease) -> bool:
        """Corrects the ledger's counts of held instances. Returns whether they were wrong. Raises LeaseLost."""


class LeaseStore(Protocol):
    def acquire_lease(self, now: datetime, seconds: int) -> Lease:
        """Returns the lease with the last rate limits. If it is held, records a wake request and raises LeaseHeld."""

    def release_lease(self, lease: Lease) -> Lease | None:
        """Releases the lease and returns None, unless a wake request arrived meanwhile. Raises LeaseLost.

        Then another cycle is due: returns the lease, still held, which knows the requests so far, to be released next.
        """


class UnmanagedJobStore(Protocol):
    """Unmanaged training jobs to check, and the findings about them."""

    def add_unchecked(self, job: UnmanagedJob, *, by: str) -> None:
        """Adds a training job to check. `by` is as in `JobStore.save`."""

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        """Returns the training jobs that no cycle has checked. Consistent."""

    def record_finding(self, finding: Finding) -> bool:
        """Records the finding. Returns whether it is the first about this training job."""

    def mark_checked(self, job: UnmanagedJob) -> None:
        """Removes a training job that was checked."""

    def findings(self, limit: int) -> tuple[Finding, ...]:
        """Returns the findings, the newest first."""


@dataclass(frozen=True, slots=True)
class JobStores:
    """All stores of one queue's jobs, to build services from."""

    jobs: JobStore
    index: JobIndex
    live_attempts: LiveAttempts
    reservations: Reservations
    pools: WarmPoolStore
    learned: LearnedStore
    state: SchedulerState
