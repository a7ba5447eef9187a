"""What a cycle sees: an immutable picture of the queue, read before anything is decided."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from math import inf

from attrs import field, frozen

from scheduler.domain.attempt import Attempt
from scheduler.domain.budget import Budget
from scheduler.domain.capacity import CapacityMemory
from scheduler.domain.demand import NOTHING, Demand, total
from scheduler.domain.history import History
from scheduler.domain.job import Job
from scheduler.domain.period import LET_FINISH, ExcessRule, Period
from scheduler.domain.policy import AT_ONCE, Policy
from scheduler.domain.pool_rules import NO_POOLS, PoolRules
from scheduler.domain.reason import Reason
from scheduler.domain.usage import Usage
from scheduler.domain.used_up import UsedUp


@frozen(slots=False)  # without slots, for which attrs would write cached properties anew
class LiveJob:
    """A job together with the attempt that holds budget for it."""

    job: Job
    attempt: Attempt

    @property
    def is_readable(self) -> bool:
        return self.job.is_readable and self.attempt.is_readable

    @cached_property
    def started_at(self) -> datetime:
        """When its training began, as far as that is known."""
        sighting = self.attempt.sighting
        return (sighting.training_started_at if sighting else None) or self.attempt.reserved_at

    @property
    def is_known_to_train(self) -> bool:
        """Or to have trained."""
        sighting = self.attempt.sighting
        return sighting is not None and sighting.training_started_at is not None

    @cached_property
    def ends_by(self) -> float:
        """When its time limit ends it at the latest, in seconds since the epoch."""
        return self.started_at.timestamp() + self.job.max_runtime

    @cached_property
    def had_waited(self) -> timedelta:
        """How long ago it was submitted when it got its instances."""
        return self.attempt.reserved_at - self.job.submitted_at

    def unsaved_work(self, now: datetime) -> float:
        """Seconds of training that a stop would lose: since the last checkpoint, if it writes them as its user says."""
        sighting = self.attempt.sighting
        # The first checkpoint comes an interval after the script began: starting and downloading do not count.
        began = (sighting.training_since if sighting else None) or self.started_at
        trained = max(0.0, (now - began).total_seconds())
        return trained % (self.job.checkpoint_interval or inf)


@frozen
class Snapshot:
    budget: Budget  # what holds now: the stack's parameter, the calendar's, or what an operator set
    live: tuple[LiveJob, ...]
    queued: tuple[Job, ...]  # the candidates, at least the first ones in queue order; a bounded number
    policy: Policy = AT_ONCE
    history: History = field(factory=History)
    usage: Mapping[str, Usage] = field(factory=dict)  # by team
    at_other_times: Budget | None = None  # the most that may hold at another time, where that is known to be more
    excess: ExcessRule = LET_FINISH  # what becomes of jobs that hold more than the budget
    periods: tuple[Period, ...] = ()  # with what the calendar will replace the budget, in the order of time
    pools: tuple[Attempt, ...] = ()  # attempts that ended and still hold their instances, as warm pools
    pool_rules: PoolRules = NO_POOLS
    held_by_others: Demand = NOTHING  # jobs that are not ours if the budget is account-wide
    capacity: CapacityMemory = field(factory=CapacityMemory)  # where SageMaker had no instances lately
    closed_choices: frozenset[tuple[str, int]] = frozenset()  # of jobs by name: rules are against them now
    used_up: UsedUp = field(factory=UsedUp)  # the limits on what may be spent
    blocked: Reason | None = None  # why nothing at all may be launched now

    @property
    def held(self) -> Demand:
        demands = [live.attempt.demand for live in self.live]
        demands += [pool.demand for pool in self.pools]
        return total([*demands, self.held_by_others])
