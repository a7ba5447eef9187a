"""Reads the Snapshot of queue, budget, pools and configuration, on which cycles and the API base their answers."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from scheduler.core.calendar.budget_schedule import ScheduledBudgets, scheduled_budgets
from scheduler.core.capacity.attempt_statistics import AttemptStatistics, location_of
from scheduler.core.capacity.capacity_learning import without_outdated
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.capacity.locations import Location
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import is_processing_line, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ChoiceOrder
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.planner.learned import ALL_OWNERS, Learned, usage_keys
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.reconciliation_state import BudgetScope, ReconciliationState
from scheduler.core.sections.controls import Controls
from scheduler.core.spending.prices.choice_costs import NO_COSTS, ChoiceCosts
from scheduler.core.spending.spending_status import SpendingStatus
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolRules
from scheduler.observe.configuration import ConfigurationReader
from scheduler.observe.queue_reading import QueueReading
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import LearnedStore, LiveAttempts, SchedulerState, WarmPoolStore

_RECONCILIATION_OVERDUE = Reason(
    ReasonCode.WAITS_FOR_RECONCILIATION,
    "SageMaker's lists of jobs could not be read recently, so the use of the budget is unknown",
)
_UNREADABLE_CONTROLS = Reason(
    ReasonCode.UNREADABLE_RECORD,
    "the operators' settings cannot be read, so the budget is not known: an operator must repair or delete the item "
    "CONTROLS in the table",
)
_UNREADABLE_CONFIGURATION = Reason(
    ReasonCode.UNREADABLE_RECORD,
    "the configuration cannot be read, so no job starts: an operator must apply a valid one (sagequeue config apply)",
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
    configuration: ConfigurationReader
    spending: SpendingReader
    clock: Clock
    scope: BudgetScope = BudgetScope.QUEUE

    @property
    def parameter(self) -> Budget:
        """Returns the stack's budget, which operators and the calendar may override."""
        return self.configuration.stack.budget

    @property
    def listed_kinds(self) -> tuple[WorkKind, ...]:
        """Returns the kinds whose lists are read: processing jobs only if the stack's budget has a line for them."""
        has_processing = any(map(is_processing_line, self.parameter.types))
        return (WorkKind.TRAINING, WorkKind.PROCESSING) if has_processing else (WorkKind.TRAINING,)

    def read_settings_once(self) -> "SnapshotReader":
        """Returns a reader that reads the controls and the configuration only once, for use during one call."""
        return replace(self, controls=_ReadOnce(self.controls), configuration=self.configuration.read_once())

    def budget_for_submissions(self) -> Budget:
        """Returns the most that an accepted job may need. The job can wait until operators reset a smaller budget."""
        return self._largest_budget().maximum_with(self.controls.read().budget or self.parameter)

    def budgets(self, configuration: Configuration | None = None) -> ScheduledBudgets:
        """Returns the current and upcoming budgets, under the current configuration unless another is given."""
        return self.budgets_with(configuration or self.configuration.current(), self.controls.read())

    def runnable(self, jobs: Collection[Job]) -> tuple[Job, ...]:
        """Returns the jobs that could run within the current budget or a later budget."""
        budgets = (self.controls.read().budget or self.parameter, self._largest_budget())
        return tuple(
            job
            for job in jobs
            if any(budget.could_ever_run(choice.spec.demand) for budget in budgets for choice in job.each_choice)
        )

    def pool_rules(self, configuration: Configuration | None = None) -> PoolRules:
        """Returns the rules for warm pools, under the current configuration unless another is given."""
        configuration = configuration or self.configuration.current()
        rules = {rule.instance_type: rule for rule in configuration.pools}
        return PoolRules(rules, self.configuration.prices(configuration)) if rules else NO_POOLS

    def observe(
        self,
        left_out: Collection[str] = (),
        live: tuple[LiveJob, ...] | None = None,
        capacity: CapacityMemory | None = None,
        reconciliation_states: Sequence[ReconciliationState] | None = None,
        configuration: Configuration | None = None,
    ) -> Snapshot:
        """Returns the current snapshot, without the queued jobs in `left_out`. Reads only values that are not given."""
        configuration = configuration or self.configuration.current()
        live = self.live_attempts.live() if live is None else live
        controls = self.controls.read()
        # The index may lag and still show a job that was launched a moment ago.
        unwanted = {*left_out, *(live_job.job.name for live_job in live)}
        candidates = self.index.candidates(self.budgets_with(configuration, controls).now.budget)
        queued = tuple(job for job in candidates if job.name not in unwanted)
        reading = self.read([configuration], controls, live, queued, capacity, reconciliation_states)
        return self.snapshot_of(reading, configuration)

    def read(
        self,
        configurations: Sequence[Configuration],
        controls: Controls,
        live: tuple[LiveJob, ...],
        queued: tuple[Job, ...],
        capacity: CapacityMemory | None = None,
        reconciliation_states: Sequence[ReconciliationState] | None = None,
    ) -> QueueReading:
        """Reads the values, besides jobs, that snapshots with these configurations need, unless they are given."""
        if reconciliation_states is None:
            reconciliation_states = [self.state.reconciliation_state(kind) for kind in self.listed_kinds]
        pools, jobs = self.pools.pools(), [*(live_job.job for live_job in live), *queued]
        learned = self._learned_for(jobs, configurations)
        return QueueReading(
            controls,
            live,
            queued,
            pools,
            reconciliation_states,
            self.state.capacity() if capacity is None else capacity,
            learned,
            self.spending.spent_for(jobs, configurations),
        )

    def snapshot_of(self, reading: QueueReading, configuration: Configuration) -> Snapshot:
        """Returns the snapshot with this configuration. Reads nothing."""
        budgets, jobs = self.budgets_with(configuration, reading.controls), reading.jobs
        return Snapshot(
            budget=budgets.now.budget,
            live=reading.live,
            queued=reading.queued,
            policy=configuration.policy,
            runtime_stats=reading.learned.runtime_stats_for(jobs),
            usage=reading.learned.usage_in(configuration.teams),
            largest_later_budget=budgets.largest_later_budget,
            excess=budgets.now.excess,
            periods=budgets.coming,
            pools=reading.pools,
            pool_rules=self.pool_rules(configuration),
            held_by_unmanaged_jobs=total(state.held for state in reading.reconciliation_states),
            is_account_budget=self.scope is BudgetScope.ACCOUNT,
            capacity=without_outdated(reading.capacity, self.clock.now()),
            choice_costs=self._choice_costs(reading.learned.statistics, configuration),
            spending_status=self.spending.status(configuration, jobs, reading.live, reading.spent),
            blocked=self._blocked(reading.controls, configuration, reading.reconciliation_states),
        )

    def spending_status_with(self, job: Job, snapshot: Snapshot) -> SpendingStatus:
        """Returns the status of the spending limits with this job in the queue."""
        jobs = [*snapshot.queued, job, *(live_job.job for live_job in snapshot.live)]
        configuration = self.configuration.current()
        spent = self.spending.spent_for(jobs, [configuration])
        return self.spending.status(configuration, jobs, snapshot.live, spent)

    def choice_costs_with(self, job: Job, snapshot: Snapshot) -> ChoiceCosts:
        """Returns the costs of choices with this job in the queue."""
        added = self.learned.read_learned((), (), _ranked_locations([job]), consistent=False).statistics
        known = {**snapshot.choice_costs.statistics, **added}
        return self._choice_costs(known, self.configuration.current())

    def budgets_with(self, configuration: Configuration, controls: Controls) -> ScheduledBudgets:
        """Returns the current and upcoming budgets, under this configuration and these controls. Reads nothing."""
        calendar = configuration.calendar if configuration.is_readable else None
        return scheduled_budgets(calendar, controls, self.parameter, self.clock.now())

    def _largest_budget(self) -> Budget:
        return self.configuration.current().calendar.largest_budget(self.parameter, self.clock.now())

    def _choice_costs(self, known: Mapping[Location, AttemptStatistics], configuration: Configuration) -> ChoiceCosts:
        now = self.clock.now()
        statistics = {location: statistics.decayed_to(now) for location, statistics in known.items()}
        return ChoiceCosts(statistics, self.configuration.prices(configuration)) if statistics else NO_COSTS

    def _blocked(
        self, controls: Controls, configuration: Configuration, states: Sequence[ReconciliationState]
    ) -> Reason | None:
        if not controls.is_readable:
            return _UNREADABLE_CONTROLS
        if not configuration.is_readable:
            return _UNREADABLE_CONFIGURATION
        is_trusted = all(state.is_trusted(self.clock.now(), self.scope) for state in states)
        return None if is_trusted else _RECONCILIATION_OVERDUE

    def _learned_for(self, jobs: Collection[Job], configurations: Sequence[Configuration]) -> Learned:
        if not jobs:
            return Learned()
        keys = set[str]()
        for teams in filter(None, (configuration.teams for configuration in configurations)):
            keys.update(("", *(team.name for team in teams)))
            keys.update(key for job in jobs for key in usage_keys(job, teams))
        owners = {ALL_OWNERS, *(job.owner_key for job in jobs)}
        return self.learned.read_learned(owners, keys, _ranked_locations(jobs), consistent=False)


def _ranked_locations(jobs: Iterable[Job]) -> set[Location]:
    """Returns the locations of all choices of the jobs whose choices are ranked."""
    ranked = [option for job in jobs if job.options.order is ChoiceOrder.BEST for option in job.each_choice]
    found = (location_of(option.spec.demand, spot=option.is_on_spot) for option in ranked)
    return {location for location in found if location is not None}


class _ReadOnce:
    """A ControlStore that reads the controls only once."""

    def __init__(self, store: ControlStore) -> None:
        self.read, self.before, self.write = cache(store.read), store.before, store.write
