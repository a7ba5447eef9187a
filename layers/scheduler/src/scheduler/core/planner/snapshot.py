"""Defines the snapshot: the immutable state of the queue that a cycle reads before it decides."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from scheduler.core.calendar.calendar import LET_FINISH, ExcessRule, Period
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.history.metrics import Gauges
from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason
from scheduler.core.planner.learned import Usage
from scheduler.core.planner.policy import IMMEDIATE_PREEMPTION, Policy
from scheduler.core.spending.prices.choice_costs import NO_COSTS, ChoiceCosts
from scheduler.core.spending.spending_status import SpendingStatus
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolRules
from scheduler.core.warm_pools.warm_pool import WarmPool


@dataclass(frozen=True, slots=True)
class Snapshot:
    budget: Budget  # the current budget: the stack's parameter, the calendar's, or an operator's
    live: tuple[LiveJob, ...]
    queued: tuple[Job, ...]  # the candidates: a bounded number, including at least the first jobs in queue order
    policy: Policy = IMMEDIATE_PREEMPTION
    runtime_stats: RuntimeStats = field(default_factory=RuntimeStats)
    usage: Mapping[str, Usage] = field(default_factory=dict)  # by usage key: for teams, and for owners in them
    largest_later_budget: Budget | None = None  # each type's maximum in later budgets; None: as now
    excess: ExcessRule = LET_FINISH  # how jobs above the budget end
    periods: tuple[Period, ...] = ()  # the calendar's upcoming budgets, earliest first
    pools: tuple[WarmPool, ...] = ()
    pool_rules: PoolRules = NO_POOLS
    held_by_unmanaged_jobs: Demand = NOTHING  # no job starts on these instances
    is_account_budget: bool = False  # the budget also covers unmanaged jobs, so jobs may be stopped because of them
    capacity: CapacityMemory = field(default_factory=CapacityMemory)  # where SageMaker recently had no instances
    choice_costs: ChoiceCosts = NO_COSTS  # what the choices of jobs with `order: best` cost
    closed_choices: frozenset[tuple[str, int]] = frozenset()  # job names and choices that a rule now refuses
    spending_status: SpendingStatus = field(default_factory=SpendingStatus)
    blocked: Reason | None = None  # why no jobs at all may be launched now

    @property
    def staying(self) -> list[LiveJob]:
        """Returns the live jobs that are not being stopped."""
        return [live for live in self.live if live.job.status.state is not JobState.STOPPING]

    @property
    def held(self) -> Demand:
        demands = [live.attempt.demand for live in self.live]
        demands += [pool.demand for pool in self.pools]
        return total([*demands, self.held_by_unmanaged_jobs])

    def gauges(self, queued_jobs: int, now: datetime) -> Gauges:
        longest_wait = max(((now - job.waits_since).total_seconds() for job in self.queued), default=0.0)
        held, limit = self.held, self.budget.limit
        free = tuple((line, max(0, limit[line] - held[line])) for line in self.budget.types)
        return Gauges(queued_jobs, longest_wait, held, Demand(free))
