"""The stores of the queue's jobs: records, live attempts, warm pools and statistics. `job_index.py` has the lists.

Every write is one conditional transaction. A caller may repeat it, for example after a lost answer: the repeat may
succeed, but never counts twice.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.capacity.locations import Location
from scheduler.core.history.callbacks.callback import Callback
from scheduler.core.history.change import WRITTEN_BY_CYCLE
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob, WatchedJob
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.unreadable import UnreadableBody
from scheduler.ports.array_store import ArrayStore
from scheduler.ports.callbacks import CallbackStore
from scheduler.ports.job_index import Dependencies, JobIndex
from scheduler.ports.training import TrainingRequest

NO_JOBS: Mapping[str, Job] = MappingProxyType({})
#: Used for a settled attempt that adds nothing to the statistics.
NOTHING_LEARNED = Learned()
#: The functions that write to the table. `by` names one of them.
API, SCHEDULE, TRAINING_EVENTS, IDLE_ALARM = "api", WRITTEN_BY_CYCLE, "training_events", "idle_alarm"
#: The value of `by` if a cycle gives back its lease before it has finished its work.
UNFINISHED = "unfinished"
#: The writers whose changes wake the scheduler. The stream's filter in template.yaml lists the same names.
WAKING = frozenset({API, TRAINING_EVENTS, IDLE_ALARM, UNFINISHED})
#: The value of `by` for reports on a live attempt that no cycle has to handle immediately, such as a save.
_OBSERVATION = "observation"


class JobStore(Protocol):
    """Stores jobs by name, with their requests."""

    def submit(self, job: Job, *requests: TrainingRequest, callbacks: Sequence[Callback] = ()) -> None:
        """Adds a new job with the request for each choice, its client token if it has one, and its callbacks.

        Raises NameTaken or TokenReused.
        """

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        """Returns the name of the job that this owner key (`Job.owner_key`) submitted with this token, if any."""

    def get(self, name: str) -> Job:
        """Returns the job with this name. Raises UnknownJob."""

    def with_all_attempts(self, job: Job) -> Job:
        """Returns the job with all readable attempts. The job's own record has only the last attempts."""

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        """Returns the request body for a choice. Choice 0 is the request as submitted.

        Raises UnreadableBody or BodyUnavailable.
        """

    def requests_of(self, jobs: Sequence[Job]) -> list[TrainingRequest | UnreadableBody | BodyUnavailable]:
        """Returns, for each job, the request body for its current choice, or the error that prevents reading it.

        Reads the bodies in batches.
        """

    def save(self, job: Job, *, by: str) -> Job:
        """Writes a change that does not affect the budget, and returns the job with its new version. Raises StaleJob.

        `by` names the writing function. A change by one of WAKING wakes the scheduler.
        """

    def save_idle_check(self, job: Job, *, by: str) -> Job:
        """Writes the result of a check for idle GPUs or a hang, like save().

        Changes only a live job's state, stop, actions and warnings.
        """


class LiveAttempts(Protocol):
    """Reads the attempts that hold budget, and records reports about them from SageMaker and their programs."""

    def live(self, known: Mapping[str, Job] = NO_JOBS, /, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        """Returns every attempt that holds budget, with its job. The result may lag unless `consistent`.

        `known` has jobs that the caller read before. These jobs are read again only if a cycle has written them since.
        """

    def attempt(self, name: str) -> Attempt | None:
        """Returns the live attempt with this name, or None."""

    def record_observation(self, attempt_name: str, observation: Observation, *, by: str) -> bool:
        """Records the observation if it is newer than the last one, and returns whether it is.

        An observation of the attempt's end also sets `needs_polling`.
        """

    def record_save(self, attempt_name: str, save: Save, *, by: str) -> bool:
        """Records the save if it is newer than the last one, and returns whether it is."""


class Reservations(Protocol):
    """Reserves budget for an attempt, updates the attempt and releases its budget. Only the lease holder does this."""

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease, pool: WarmPool | None = None) -> Job:
        """Writes the launching job, and reserves its demand within the budget.

        `pool` is a warm pool that the attempt takes over: the pool is lent, so its reservation moves to the attempt.
        Raises StaleJob, OverBudget or LeaseLost.
        """

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        """Writes the job, and its attempt's `created`, `stop_sent`, `recorded_interruptions` and `notice`.

        Raises StaleJob or LeaseLost.
        """

    def narrow(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        """Writes the job, and reduces its reservation to the instances that SageMaker selected.

        Raises StaleJob or LeaseLost.
        """

    def record_create(self, attempt: Attempt, sent_before: datetime | None, lease: Lease) -> None:
        """Writes `sent_at` and the keep-alive periods of a live attempt, if the stored `sent_at` is `sent_before`.

        Raises StaleJob or LeaseLost.
        """

    def settle(
        self,
        job: Job,
        attempt: Attempt,
        lease: Lease,
        learned: Learned = NOTHING_LEARNED,
        *,
        left_pool: bool = False,
    ) -> Job:
        """Writes the job, deletes its attempt, releases the budget and saves the statistics.

        If the job's record has too many attempts, the oldest are moved out of it. The warm pool that the attempt left
        holds its own budget. A pool that was lent to the attempt, and still exists, gets its budget back. Raises
        StaleJob or LeaseLost.
        """

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        """Writes the job with a live attempt, even if that exceeds the budget. The attempt replaces `lost`.

        Raises StaleJob or LeaseLost.
        """


class WarmPoolStore(Protocol):
    """Stores warm pools: finished attempts' instances that still hold budget."""

    def pools(self) -> tuple[WarmPool, ...]:
        """Returns all warm pools. Reads consistently."""

    def remove_pool(
        self,
        pool: WarmPool,
        lease: Lease,
        taker: Attempt | None = None,
        lent_to_taker: WarmPool | None = None,
        learned: Learned = NOTHING_LEARNED,
    ) -> None:
        """Deletes the pool, releases its budget and saves the statistics. Raises StaleJob or LeaseLost.

        `taker` is the live attempt that took over the pool; it is updated. If another pool, `lent_to_taker`, was lent
        to that attempt, it takes this pool's place.
        """

    def end_pool_loan(self, pool: WarmPool, lease: Lease) -> None:
        """Ends the loan of a pool that its attempt did not take over, so that the pool holds budget again.

        The attempt keeps its own budget. Raises StaleJob or LeaseLost.
        """


class LearnedStore(Protocol):
    """Stores statistics on finished attempts: run times, use by team, costs by location, and spending."""

    def read_learned(
        self,
        owners: Collection[str],
        usage_keys: Collection[str],
        locations: Collection[Location] = (),
        *,
        consistent: bool = True,
    ) -> Learned:
        """Returns run times of these owners, usage with these keys, and statistics on attempts at these locations.

        The result may lag unless `consistent`.
        """

    def spent(self, keys: Collection[SpentTimeKey]) -> Mapping[SpentTimeKey, SpentTime | None]:
        """Returns the spending counts with these keys, or None for an unreadable count. Reads consistently."""

    def spent_in(self, month: str) -> Mapping[SpentTimeKey, SpentTime | None]:
        """Returns all of a month's spending counts, or None for an unreadable count."""


class SchedulerState(Protocol):
    """Stores the state that one cycle leaves for the next."""

    def reconciliation_state(self, kind: WorkKind) -> ReconciliationState:
        """Returns the reconciliation state of a kind, which is empty at first. Reads consistently."""

    def save_reconciliation_state(self, kind: WorkKind, state: ReconciliationState, lease: Lease) -> None:
        """Saves the reconciliation state. Raises LeaseLost."""

    def capacity(self) -> CapacityMemory:
        """Returns the capacity memory, which is empty at first. Reads consistently."""

    def save_capacity(self, memory: CapacityMemory, lease: Lease) -> None:
        """Saves the capacity memory. Raises LeaseLost."""

    def correct_ledger(self, held: Demand, lease: Lease) -> bool:
        """Corrects the ledger's counts of held instances, and returns whether they were wrong.

        Raises LeaseLost.
        """


class LeaseStore(Protocol):
    def acquire_lease(self, now: datetime, seconds: int, *, sweep: bool = False) -> Lease:
        """Takes the lease and returns it, with the last rate limits.

        If another cycle holds the lease, records a wake request and raises LeaseHeld. If a sweep makes the request, the
        next lease also knows that a sweep is due.
        """

    def release_lease(self, lease: Lease, *, wakes_again: bool = False) -> Lease | None:
        """Releases the lease and returns None. With `wakes_again`, the release wakes the scheduler.

        If a wake request arrived in the meantime, another cycle is due. In that case, returns the lease, which is still
        held and now knows all requests so far. Release it after that cycle. Raises LeaseLost.
        """

    def idle_until(self) -> datetime | None:
        """Returns the last lease's `idle_until`, or None if a lease has been taken since.

        Costs one consistent read.
        """


class UnmanagedJobStore(Protocol):
    """Stores unmanaged training jobs that need a check, and findings about unmanaged jobs."""

    def add_unchecked(self, job: UnmanagedJob, *, by: str) -> None:
        """Adds a training job that needs a check. `by` is as in `JobStore.save`."""

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        """Returns the training jobs that no check has settled yet. Reads consistently."""

    def check_later(self, job: UnmanagedJob, tried_at: datetime) -> None:
        """Records the time at which a check of the training job was inconclusive."""

    def record_finding(self, finding: Finding) -> bool:
        """Records the finding. Returns whether it is this training job's first finding of its kind, or first stop."""

    def mark_checked(self, job: UnmanagedJob) -> None:
        """Removes a training job that was checked."""

    def findings(self, limit: int) -> tuple[Finding, ...]:
        """Returns the findings, most recent first."""


class WatchedJobStore(Protocol):
    """Stores unmanaged training jobs that are watched until they end."""

    def watch(self, job: WatchedJob) -> None:
        """Adds the training job to the watched training jobs, unless it is already watched."""

    def save_watched(self, job: WatchedJob) -> None:
        """Replaces the record of a watched training job."""

    def watched(self) -> tuple[WatchedJob, ...]:
        """Returns the training jobs that are watched."""

    def unwatch(self, name: str) -> None:
        """Removes a training job that has ended, if it is watched."""


@dataclass(frozen=True, slots=True)
class JobStores:
    """Groups all stores of one queue's jobs, from which services are built."""

    jobs: JobStore
    index: JobIndex
    live_attempts: LiveAttempts
    reservations: Reservations
    pools: WarmPoolStore
    learned: LearnedStore
    state: SchedulerState
    callbacks: CallbackStore
    dependencies: Dependencies
    arrays: ArrayStore


def writer_of_save(save: Save) -> str:
    """Returns the `by` for a reported save.

    Only a save that answers a notice wakes the scheduler, which then checks the answer.
    """
    return TRAINING_EVENTS if save.answers is not None else _OBSERVATION


def writer_of_observation(observation: Observation) -> str:
    """Returns the `by` for an event's observation. Only the end of an attempt wakes the scheduler."""
    return TRAINING_EVENTS if observation.is_terminal else _OBSERVATION
