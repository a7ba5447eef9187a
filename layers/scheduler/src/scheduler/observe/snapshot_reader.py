"""Reads the Snapshot of queue, budget, pools and documents that a cycle decides on, and that the API answers from."""

import logging
from collections.abc import Collection
from dataclasses import dataclass, replace

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.learned import ALL_OWNERS, Learned
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.reconciliation_state import BudgetScope, ReconciliationState
from scheduler.core.spending.spending_status import SpendingStatus
from scheduler.core.warm_pools.document import rules_of
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolRules
from scheduler.errors.config_errors import BadDocument
from scheduler.observe.budget_schedule import BudgetSchedule, ScheduledBudgets
from scheduler.observe.cached_settings import CachedControls, CachedDocuments
from scheduler.observe.prices import Prices
from scheduler.observe.spending import UNREADABLE_LIMITS, SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore, DocumentStore
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import LearnedStore, LiveAttempts, SchedulerState, WarmPoolStore

logger = logging.getLogger(__name__)

_RECONCILIATION_OVERDUE = Reason(
    ReasonCode.WAITS_FOR_RECONCILIATION,
    "SageMaker's list of training jobs could not be read for a while, so the use of the budget is not known",
)
_UNREADABLE_CONTROLS = Reason(
    ReasonCode.UNREADABLE_RECORD,
    "the operators' settings cannot be read, so the budget is not known: an operator must repair or delete the item "
    "CONTROLS of the table",
)
_UNREADABLE_CALENDAR = Reason(
    ReasonCode.UNREADABLE_RECORD,
    "the calendar cannot be read, so the budget is not known: an operator must apply another calendar or set a budget, "
    "which overrides it",
)


@dataclass(frozen=True, slots=True)
class SnapshotReader:
    """Reads snapshots, and the budgets that jobs are checked against."""

    index: JobIndex
    live_attempts: LiveAttempts
    pools: WarmPoolStore
    learned: LearnedStore
    state: SchedulerState
    controls: ControlStore
    parameter: Budget  # the stack's budget, which operators may override
    policy: Policy
    clock: Clock
    budget_schedule: BudgetSchedule
    scope: BudgetScope = BudgetScope.QUEUE
    pool_documents: DocumentStore | None = None  # without it no attempt leaves a pool
    prices: Prices | None = None  # without it no price is known
    spending: SpendingReader | None = None  # without it there are no spending limits

    def with_cached_settings(self) -> "SnapshotReader":
        """Returns a reader that reads the operators' budget and calendar only once. Use it for one call."""
        budget_schedule = BudgetSchedule(CachedDocuments(self.budget_schedule.store))
        return replace(self, controls=CachedControls(self.controls), budget_schedule=budget_schedule)

    def budget_for_submissions(self) -> Budget:
        """Returns the most that an accepted job may need: it can wait until an operator resets a smaller budget."""
        return self._largest_budget().maximum_with(self.controls.read().budget or self.parameter)

    def current_budget(self) -> Budget:
        """Returns the budget of now."""
        return self.budget_schedule.scheduled_budgets(self.controls.read(), self.parameter, self.clock.now()).now.budget

    def runnable(self, jobs: Collection[Job]) -> tuple[Job, ...]:
        """Returns the jobs that the current budget, or a later one, could run."""
        budgets = (self.controls.read().budget or self.parameter, self._largest_budget())
        return tuple(
            job
            for job in jobs
            if any(budget.could_ever_run(choice.spec.demand) for budget in budgets for choice in job.each_choice)
        )

    def pool_rules(self) -> PoolRules:
        """Returns the applied rules. If the document cannot be read, no attempt leaves a pool."""
        if self.pool_documents is None or self.prices is None:
            return NO_POOLS
        document = self.pool_documents.latest()
        if document is None:
            return NO_POOLS
        try:
            return replace(rules_of(document.text), prices=self.prices.current())
        except BadDocument as error:
            logger.error("unreadable pool rules", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return NO_POOLS

    def observe(
        self,
        left_out: Collection[str] = (),
        live: tuple[LiveJob, ...] | None = None,
        capacity: CapacityMemory | None = None,
        reconciliation_state: ReconciliationState | None = None,
    ) -> Snapshot:
        """Returns the snapshot of now, without the queued jobs named in `left_out`. Reads only values not passed in."""
        live = self.live_attempts.live() if live is None else live
        reconciliation_state = (
            self.state.reconciliation_state() if reconciliation_state is None else reconciliation_state
        )
        controls = self.controls.read()
        pools = self.pools.pools()
        budgets = self.budget_schedule.scheduled_budgets(controls, self.parameter, self.clock.now())
        budget = budgets.now.budget
        # The index may lag and still show a job that was launched a moment ago.
        unwanted = {*left_out, *(live_job.job.name for live_job in live)}
        queued = tuple(job for job in self.index.candidates(budget) if job.name not in unwanted)
        jobs = [*(live_job.job for live_job in live), *queued]
        learned = self._learned_for(jobs)
        spending_status, unreadable = self._spending_status(queued, live)
        return Snapshot(
            budget=budget,
            live=live,
            queued=queued,
            policy=self.policy,
            runtime_stats=learned.runtime_stats_for(jobs),
            usage=learned.usage,
            largest_later_budget=budgets.largest_later_budget,
            excess=budgets.now.excess,
            periods=budgets.coming,
            pools=pools,
            pool_rules=self.pool_rules() if queued else NO_POOLS,  # only starting jobs need them
            held_by_unmanaged_jobs=reconciliation_state.held,
            capacity=self.state.capacity() if capacity is None else capacity,
            spending_status=spending_status,
            blocked=self._blocked(controls, budgets, reconciliation_state) or unreadable,
        )

    def _largest_budget(self) -> Budget:
        return self.budget_schedule.largest_budget(self.parameter, self.clock.now())

    def spending_status_with(self, job: Job, snapshot: Snapshot) -> SpendingStatus:
        """Returns the status of the spending limits with this job in the queue."""
        return self._spending_status((*snapshot.queued, job), snapshot.live)[0]

    def _spending_status(
        self, queued: Collection[Job], live: tuple[LiveJob, ...]
    ) -> tuple[SpendingStatus, Reason | None]:
        """Returns the status of the limits, and the reason why no job may start if they cannot be read."""
        if self.spending is None or not (queued or live):
            return SpendingStatus(), None
        try:
            return self.spending.status([*queued, *(live_job.job for live_job in live)], live), None
        except BadDocument:
            return SpendingStatus(), UNREADABLE_LIMITS

    def _blocked(
        self, controls: Controls, budgets: ScheduledBudgets, reconciliation_state: ReconciliationState
    ) -> Reason | None:
        if not controls.is_readable:
            return _UNREADABLE_CONTROLS
        if not budgets.is_readable:
            return _UNREADABLE_CALENDAR
        return None if reconciliation_state.is_trusted(self.clock.now(), self.scope) else _RECONCILIATION_OVERDUE

    def _learned_for(self, jobs: Collection[Job]) -> Learned:
        if not jobs:
            return Learned()
        teams = {"", *(team.name for team in self.policy.teams)} if self.policy.teams else set()
        return self.learned.read_learned({ALL_OWNERS, *(job.owner_key for job in jobs)}, teams, consistent=False)
