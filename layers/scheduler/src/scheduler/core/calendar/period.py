"""A stretch of time with one budget: what the calendar makes of the stack's own."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from attrs import field, frozen

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, is_plan_line


class Excess(StrEnum):
    """What becomes of jobs that hold more than a budget that has shrunk; in any case nothing starts until it fits."""

    FINISH = "finish"  # they run to their end
    PREEMPT = "preempt"  # as many of them give way as may be preempted; the others run to their end
    STOP = "stop"  # as many as it takes are stopped, those that are never to be preempted last


@frozen
class ExcessRule:
    """It may be another one for some instance types."""

    usual: Excess = Excess.FINISH
    by_type: Mapping[str, Excess] = field(factory=dict)
    lets_plans_finish: bool = False  # lines of training plans that it does not name

    def of(self, instance_type: str) -> Excess:
        spared = self.lets_plans_finish and is_plan_line(instance_type)
        return self.by_type.get(instance_type, Excess.FINISH if spared else self.usual)

    def modes_of(self, demand: Demand) -> frozenset[Excess]:
        return frozenset(self.of(kind) for kind in demand)


LET_FINISH = ExcessRule()


@frozen
class Period:
    """It lasts until the next one begins."""

    begins: datetime
    budget: Budget
    excess: ExcessRule = LET_FINISH
    windows: tuple[str, ...] = ()  # names of those in force, none: the stack's own budget
