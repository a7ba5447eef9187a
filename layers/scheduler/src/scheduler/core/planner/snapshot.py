"""What a cycle sees: an immutable picture of the queue, read before anything is decided."""

from collections.abc import Mapping

from attrs import field, frozen

from scheduler.core.calendar.period import LET_FINISH, ExcessRule, Period
from scheduler.core.capacity.capacity import CapacityMemory
from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason
from scheduler.core.planner.learning.usage import Usage
from scheduler.core.planner.policy import AT_ONCE, Policy
from scheduler.core.spending.spending_status import SpendingStatus
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolRules


@frozen
class Snapshot:
    budget: Budget  # what holds now: the stack's parameter, the calendar's, or what an operator set
    live: tuple[LiveJob, ...]
    queued: tuple[Job, ...]  # the candidates, at least the first ones in queue order; a bounded number
    policy: Policy = AT_ONCE
    history: RuntimeStats = field(factory=RuntimeStats)
    usage: Mapping[str, Usage] = field(factory=dict)  # by team
    at_other_times: Budget | None = None  # the most that may hold at another time, where that is known to be more
    excess: ExcessRule = LET_FINISH  # what becomes of jobs that hold more than the budget
    periods: tuple[Period, ...] = ()  # with what the calendar will replace the budget, in the order of time
    pools: tuple[Attempt, ...] = ()  # attempts that ended and still hold their instances, as warm pools
    pool_rules: PoolRules = NO_POOLS
    held_by_others: Demand = NOTHING  # jobs that are not ours if the budget is account-wide
    capacity: CapacityMemory = field(factory=CapacityMemory)  # where SageMaker had no instances lately
    closed_choices: frozenset[tuple[str, int]] = frozenset()  # of jobs by name: rules are against them now
    used_up: SpendingStatus = field(factory=SpendingStatus)  # the limits on what may be spent
    blocked: Reason | None = None  # why nothing at all may be launched now

    @property
    def held(self) -> Demand:
        demands = [live.attempt.demand for live in self.live]
        demands += [pool.demand for pool in self.pools]
        return total([*demands, self.held_by_others])
