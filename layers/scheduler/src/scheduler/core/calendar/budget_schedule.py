"""The current and the coming budgets: an operator's own budget, else the calendar's, else the stack's parameter."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.calendar.calendar import Calendar, Excess, ExcessRule, Period, periods
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.sections.controls import Controls

#: How far ahead the planner looks for starts. No job runs longer, so budgets up to twice as far matter.
HORIZON = timedelta(seconds=MAX_MAX_RUNTIME)


@dataclass(frozen=True, slots=True)
class ScheduledBudgets:
    """The budget of now and those that follow."""

    now: Period
    coming: tuple[Period, ...] = ()
    largest_later_budget: Budget | None = None  # by type the most of any later period; None if it is that of now
    calendar_rests: bool = False  # an operator's own budget overrides it

    @property
    def periods(self) -> tuple[Period, ...]:
        return (self.now, *self.coming)


def scheduled_budgets(
    calendar: Calendar | None, controls: Controls, parameter: Budget, now: datetime
) -> ScheduledBudgets:
    """Returns the budgets from now on; `calendar` is None if it is not known.

    Under an operator's own budget, only training plans change it.
    """
    own, excess = controls.budget, Excess.STOP if controls.stop_over_budget else Excess.FINISH
    if calendar is None or not calendar.windows:
        if own is None:
            return ScheduledBudgets(Period(now, parameter))
        # If it is not known which plans continue, none of their jobs is stopped.
        rule = ExcessRule(excess, lets_plans_finish=calendar is None)
        return ScheduledBudgets(Period(now, own, rule), (), parameter, calendar_rests=True)
    first, *coming = budget_periods(calendar, controls, parameter, now, now + 2 * HORIZON)
    largest = calendar.largest_budget(parameter, now)
    return ScheduledBudgets(first, tuple(coming), largest, calendar_rests=own is not None)


def budget_periods(
    calendar: Calendar, controls: Controls, parameter: Budget, begin: datetime, end: datetime
) -> Iterator[Period]:
    """Yields the budgets of a time in which calendar and controls do not change."""
    own, excess = controls.budget, Excess.STOP if controls.stop_over_budget else Excess.FINISH
    in_force = calendar if own is None else calendar.training_plans_only(excess)
    return periods(in_force, own or parameter, begin, end)
