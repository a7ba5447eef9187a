"""Finds the current and upcoming budgets. An operator's own budget overrides those of the calendar and the stack."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.calendar.calendar import Calendar, Excess, ExcessRule, Period, periods
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.sections.controls import Controls

#: How far ahead the planner looks for starts. No job runs longer than this, so budgets up to twice as far ahead matter.
HORIZON = timedelta(seconds=MAX_MAX_RUNTIME)


@dataclass(frozen=True, slots=True)
class ScheduledBudgets:
    """The current budget and the budgets that follow it."""

    now: Period
    coming: tuple[Period, ...] = ()
    largest_later_budget: Budget | None = None  # the largest count of each type in any period; None: the current budget
    calendar_rests: bool = False  # whether an operator's own budget overrides it

    @property
    def periods(self) -> tuple[Period, ...]:
        return (self.now, *self.coming)


def scheduled_budgets(
    calendar: Calendar | None, controls: Controls, parameter: Budget, now: datetime
) -> ScheduledBudgets:
    """Returns the current and upcoming budgets. `calendar` is None if it cannot be read.

    While an operator's own budget applies, only training plans change it.
    """
    own, excess = controls.budget, Excess.STOP if controls.stop_over_budget else Excess.FINISH
    if calendar is None or not calendar.windows:
        if own is None:
            return ScheduledBudgets(Period(now, parameter))
        # Without the calendar, it is unknown which training plans continue, so none of their jobs are stopped.
        rule = ExcessRule(excess, lets_plans_finish=calendar is None)
        return ScheduledBudgets(Period(now, own, rule), (), parameter, calendar_rests=True)
    first, *coming = budget_periods(calendar, controls, parameter, now, now + 2 * HORIZON)
    largest = calendar.largest_budget(parameter, now)
    return ScheduledBudgets(first, tuple(coming), largest, calendar_rests=own is not None)


def budget_periods(
    calendar: Calendar, controls: Controls, parameter: Budget, begin: datetime, end: datetime
) -> Iterator[Period]:
    """Yields the budget periods between two times, assuming that the calendar and the controls do not change."""
    own, excess = controls.budget, Excess.STOP if controls.stop_over_budget else Excess.FINISH
    in_force = calendar if own is None else calendar.training_plans_only(excess)
    return periods(in_force, own or parameter, begin, end)
