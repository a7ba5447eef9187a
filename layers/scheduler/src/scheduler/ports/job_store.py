"""The queue's records: jobs, their requests, the attempts that hold budget, and what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scheduler.core.planner.learning.learned import Learned
from scheduler.ports.job_index import JobIndex

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from scheduler.core.capacity.capacity_memory import CapacityMemory
    from scheduler.core.jobs.attempt import Attempt, Observation
    from scheduler.core.jobs.budget import Budget
    from scheduler.core.jobs.demand import Demand
    from scheduler.core.jobs.job import Job
    from scheduler.core.reconciliation.lease import Lease
    from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
    from scheduler.core.spending.spent import Spent, SpentKey
    from scheduler.ports.training import TrainingRequest

#: For a settled attempt that teaches nothing.
NOTHING_LEARNED = Learned()
IDLE_ALARM = "idle_alarm"
#: The functions whose changes of the queue wake the scheduler: the stream's filter in template.yaml names them too.
WAKING = frozenset({"api", "training_events", IDLE_ALARM})


class JobStore(JobIndex, Protocol):
    """The queue's records. Every write is conditional; nothing is ever written half.

    The very same write again, as after a lost answer, may be recognised and pass; it never counts twice.
    """

    def submit(self, job: Job, *requests: TrainingRequest) -> None:
        """Keep a new job with the request of each of its choices, and its hand's token for it if it has one.

        Raises NameTaken if a job of that name exists, whatever its state, and TokenReused for a token that is known.
        """

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        """The job that this hand (`Job.hand`) submitted with this token."""

    def get(self, name: str) -> Job:
        """Raises UnknownJob."""

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        """The request body of this choice; the first is as submitted. Raises UnreadableBody or BodyUnavailable."""

    def attempt(self, name: str) -> Attempt | None:
        """The live attempt of that name, if there is one."""

    def save(self, job: Job, *, by: str) -> Job:
        """Write the job if its version is still the stored one, and give it with its new version.

        `by` names the function that writes: changes by one of WAKING wake the scheduler.
        Raises StaleJob. Only for changes that take no budget and release none.
        """

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease, pool: Attempt | None = None) -> Job:
        """In one transaction: write the job (now launching), reserve the attempt's demand within the budget.

        Where it is to take over a `pool`, the pool's reservation becomes its own, and the pool is lent. Raises
        StaleJob, OverBudget or LeaseLost; then nothing was written.
        """

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        """In one transaction: write the job, and `created` and `stop_sent` of its live attempt.

        What SageMaker said of the attempt meanwhile stays. Raises StaleJob or LeaseLost.
        """

    def narrow(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        """In one transaction: write the job, and reserve for its live attempt no more than SageMaker selected for it.

        Raises StaleJob or LeaseLost.
        """

    def record_sent_at(self, attempt: Attempt, sent_at: datetime, lease: Lease) -> Attempt:
        """Write `sent_at` of a live attempt, in place of what this one has. Raises StaleJob or LeaseLost."""

    def settle(
        self,
        job: Job,
        attempt: Attempt,
        lease: Lease,
        learned: Learned = NOTHING_LEARNED,
        *,
        keeps_instances: bool = False,
    ) -> Job:
        """In one transaction: write the job, delete the attempt, release its budget, keep what is remembered of it.

        An attempt that keeps its instances becomes one of the pools instead, and goes on holding its budget. One that
        a pool was lent to, which is still there, gives it the budget back.
        Raises StaleJob or LeaseLost.
        """

    def pools(self) -> tuple[Attempt, ...]:
        """Attempts that ended and hold budget still. Consistent."""

    def forget_pool(
        self,
        pool: Attempt,
        lease: Lease,
        taker: Attempt | None = None,
        twin: Attempt | None = None,
        learned: Learned = NOTHING_LEARNED,
    ) -> None:
        """In one transaction: delete the pool, release its budget, keep what is remembered of it.

        Raises StaleJob or LeaseLost.

        `taker` is the live attempt that took it over, which is noted there. `twin` is the pool that had been lent to
        that one: it stays, in place of this one.
        """

    def end_pool_loan(self, pool: Attempt, lease: Lease) -> None:
        """Nobody took over the pool that was lent: it holds its budget again, beside what else is held.

        Raises StaleJob or LeaseLost.
        """

    def read_learned(self, owners: Collection[str], teams: Collection[str], *, consistent: bool = True) -> Learned:
        """What is remembered of these. Consistent, unless what was true lately is good enough."""

    def spent(self, keys: Collection[SpentKey]) -> Mapping[SpentKey, Spent | None]:
        """What has been spent, where something has; None for a count that cannot be read. Consistent."""

    def spent_in(self, month: str) -> Mapping[SpentKey, Spent | None]:
        """The same of everybody who has in this month."""

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        """In one transaction: write the job and its attempt, which is live already, within the budget or not.

        `lost` is the attempt that it replaces: SageMaker has gone on without it. Raises StaleJob or LeaseLost.
        """

    def reconciliation_state(self) -> ReconciliationState:
        """Consistent; an empty one at first."""

    def save_reconciliation_state(self, reconciliation_state: ReconciliationState, lease: Lease) -> None:
        """Raises LeaseLost."""

    def capacity(self) -> CapacityMemory:
        """Consistent; an empty one at first."""

    def save_capacity(self, memory: CapacityMemory, lease: Lease) -> None:
        """Raises LeaseLost."""

    def recount(self, held: Demand, lease: Lease) -> bool:
        """Correct the counts of what is held, if they say something else; tells whether they did. Raises LeaseLost."""

    def record_observation(self, attempt_name: str, observation: Observation, *, by: str) -> bool:
        """Keep what SageMaker said of a live attempt, if it is newer than what is known; tells whether it was kept.

        A terminal observation also sets `needs_polling`. `by` is as in `save`.
        """
