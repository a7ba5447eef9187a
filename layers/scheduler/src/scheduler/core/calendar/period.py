"""Defines a period: a time with one budget, and a rule for jobs that hold more than it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, is_plan_line


class Excess(StrEnum):
    """Decides how jobs above a shrunk budget end. In every mode, no job starts until the rest fits."""

    FINISH = "finish"  # all of them run to their end
    PREEMPT = "preempt"  # those that may be preempted are stopped as needed; the others run to their end
    STOP = "stop"  # jobs are stopped until the rest fits, never-preempt jobs last


@dataclass(frozen=True, slots=True)
class ExcessRule:
    """Sets the mode for all instance types, with exceptions for some."""

    usual: Excess = Excess.FINISH
    by_type: Mapping[str, Excess] = field(default_factory=dict)
    lets_plans_finish: bool = False  # for lines of training plans without an exception

    def of(self, instance_type: str) -> Excess:
        may_finish = self.lets_plans_finish and is_plan_line(instance_type)
        return self.by_type.get(instance_type, Excess.FINISH if may_finish else self.usual)

    def modes_of(self, demand: Demand) -> frozenset[Excess]:
        return frozenset(self.of(instance_type) for instance_type in demand)


LET_FINISH = ExcessRule()


@dataclass(frozen=True, slots=True)
class Period:
    """A period lasts until the next one begins."""

    begins: datetime
    budget: Budget
    excess: ExcessRule = LET_FINISH
    windows: tuple[str, ...] = ()  # names of the open or draining windows; empty: the stack's own budget
