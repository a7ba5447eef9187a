"""The first step of a cycle: reads the snapshot to decide on. People are answered from the same."""

from collections.abc import Collection

from attrs import evolve, frozen

from scheduler.core.capacity.capacity import CapacityMemory
from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.learning.learned import EVERYBODY, Learned
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.reconciliation_state import BudgetScope, ReconciliationState
from scheduler.core.spending.spending_status import SpendingStatus
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolRules
from scheduler.errors.config_errors import BadSpending
from scheduler.observe.budget_schedule import BudgetSchedule, ScheduledBudgets
from scheduler.observe.prices import Prices
from scheduler.observe.read_once import ControlsReadOnce, DocumentReadOnce
from scheduler.observe.spending import UNREADABLE_LIMITS, SpendingReader
from scheduler.observe.warm_pool_rules import pool_rules_in
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore, DocumentStore
from scheduler.ports.job_store import JobStore

_UNBELIEVED = Reason(
    ReasonCode.WAITS_FOR_RECONCILIATION,
    "SageMaker's list of training jobs could not be read for a while, so it is not known what else holds the budget",
)
_UNREADABLE_CONTROLS = Reason(
    ReasonCode.UNREADABLE_RECORD,
    "what operators have set cannot be read, so the budget is not known: repair the item CONTROLS of the table, "
    "or delete it",
)
_UNREADABLE_CALENDAR = Reason(
    ReasonCode.UNREADABLE_RECORD,
    "the calendar cannot be read, so the budget is not known: an operator has to put another one into force, or to set "
    "a budget, which comes before it",
)


@frozen
class SnapshotReader:
    store: JobStore
    controls: ControlStore
    parameter: Budget  # the stack's own, which operators may replace
    policy: Policy
    clock: Clock
    budget_schedule: BudgetSchedule
    scope: BudgetScope = BudgetScope.QUEUE
    pool_documents: DocumentStore | None = None  # without one there are no rules of pools
    prices: Prices | None = None  # without these no price is known
    spending: SpendingReader | None = None  # without it there are no limits on what may be spent

    def for_one_call(self) -> "SnapshotReader":
        """The same, but it reads what operators have set of the budget only once: to be thrown away with the call."""
        budget_schedule = BudgetSchedule(DocumentReadOnce(self.budget_schedule.store))
        return evolve(self, controls=ControlsReadOnce(self.controls), budget_schedule=budget_schedule)

    def intake_budget(self) -> Budget:
        """What a job may need to be accepted: it can wait for what an operator took away, until that is taken back."""
        return self._most().or_more(self.controls.read().budget or self.parameter)

    def budget_now(self) -> Budget:
        """What holds at this moment."""
        return self.budget_schedule.in_force(self.controls.read(), self.parameter, self.clock.now()).now.budget

    def possible(self, jobs: Collection[Job]) -> tuple[Job, ...]:
        """Those that the budget in force could run, or one that may be in force another day."""
        budgets = (self.controls.read().budget or self.parameter, self._most())
        return tuple(
            job
            for job in jobs
            if any(budget.could_ever_run(one.demand) for budget in budgets for one in job.each_choice)
        )

    def pool_rules(self) -> PoolRules:
        if self.pool_documents is None or self.prices is None:
            return NO_POOLS
        return pool_rules_in(self.pool_documents, self.prices)

    def observe(
        self,
        left_out: Collection[str] = (),
        live: tuple[LiveJob, ...] | None = None,
        capacity: CapacityMemory | None = None,
        reconciliation_state: ReconciliationState | None = None,
    ) -> Snapshot:
        """The queue as it is, without the queued jobs of these names; what else is given is not read."""
        live = self.store.live() if live is None else live
        reconciliation_state = (
            self.store.reconciliation_state() if reconciliation_state is None else reconciliation_state
        )
        controls = self.controls.read()
        pools = self.store.pools()
        in_force = self.budget_schedule.in_force(controls, self.parameter, self.clock.now())
        budget = in_force.now.budget
        # The index may lag and still show a job that was launched a moment ago.
        unwanted = {*left_out, *(one.job.name for one in live)}
        queued = tuple(job for job in self.store.candidates(budget) if job.name not in unwanted)
        jobs = [*(one.job for one in live), *queued]
        past = self._past_of(jobs)
        used_up, unreadable = self._used_up(queued, live)
        return Snapshot(
            budget=budget,
            live=live,
            queued=queued,
            policy=self.policy,
            history=past.history_for(jobs),
            usage=past.usage,
            at_other_times=in_force.at_other_times,
            excess=in_force.now.excess,
            periods=in_force.coming,
            pools=pools,
            pool_rules=self.pool_rules() if queued else NO_POOLS,  # only what starts asks for them
            held_by_others=reconciliation_state.held,
            capacity=self.store.capacity() if capacity is None else capacity,
            used_up=used_up,
            blocked=self._blocked(controls, in_force, reconciliation_state) or unreadable,
        )

    def _most(self) -> Budget:
        return self.budget_schedule.most(self.parameter, self.clock.now())

    def used_up_for(self, job: Job, snapshot: Snapshot) -> SpendingStatus:
        """The limits on what may be spent, with those of one job more."""
        return self._used_up((*snapshot.queued, job), snapshot.live)[0]

    def _used_up(self, queued: Collection[Job], live: Collection[LiveJob]) -> tuple[SpendingStatus, Reason | None]:
        """And why nothing may be started, where the limits cannot be read."""
        if self.spending is None or not (queued or live):
            return SpendingStatus(), None
        try:
            return self.spending.used_up([*queued, *(one.job for one in live)], live), None
        except BadSpending:
            return SpendingStatus(), UNREADABLE_LIMITS

    def _blocked(
        self, controls: Controls, in_force: ScheduledBudgets, reconciliation_state: ReconciliationState
    ) -> Reason | None:
        if not controls.is_readable:
            return _UNREADABLE_CONTROLS
        if not in_force.is_readable:
            return _UNREADABLE_CALENDAR
        return None if reconciliation_state.is_believed(self.clock.now(), self.scope) else _UNBELIEVED

    def _past_of(self, jobs: Collection[Job]) -> Learned:
        if not jobs:
            return Learned()
        teams = {"", *(team.name for team in self.policy.teams)} if self.policy.teams else set()
        return self.store.recall({EVERYBODY, *(job.owner_key for job in jobs)}, teams, consistent=False)
