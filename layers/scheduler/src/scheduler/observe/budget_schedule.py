"""The current and the coming budgets: an operator's own budget, else the calendar's, else the stack's parameter."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.calendar.calendar import Calendar, Excess, ExcessRule, Period, periods
from scheduler.core.calendar.document import calendar_of
from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.errors.config_errors import BadDocument
from scheduler.ports.config_store import DocumentStore

logger = logging.getLogger(__name__)

#: How far ahead the planner looks for starts. No job runs longer, so budgets up to twice as far matter.
HORIZON = timedelta(seconds=MAX_MAX_RUNTIME)


@dataclass(frozen=True, slots=True)
class ScheduledBudgets:
    """The budget of now and those that follow."""

    now: Period
    coming: tuple[Period, ...] = ()
    largest_later_budget: Budget | None = None  # by type the most of any later period; None if it is that of now
    is_readable: bool = True
    calendar_rests: bool = False  # an operator's own budget overrides it


@dataclass(frozen=True, slots=True)
class BudgetSchedule:
    """Reads the calendar and determines the budgets."""

    store: DocumentStore

    def scheduled_budgets(self, controls: Controls, parameter: Budget, now: datetime) -> ScheduledBudgets:
        """Returns the budgets from now on.

        While an operator's own budget is set, the calendar rests, except for the reservations of training plans.
        """
        if controls.budget is not None:
            excess = Excess.STOP if controls.stop_over_budget else Excess.FINISH
            return self._set_by_operators(controls.budget, excess, parameter, now)
        try:
            calendar = self._calendar()
        except BadDocument as error:
            logger.error("unreadable calendar", extra={"cause": str(error)})  # noqa: TRY400 - its text says it all
            return ScheduledBudgets(Period(now, parameter), is_readable=False)
        if calendar is None:
            return ScheduledBudgets(Period(now, parameter))
        first, *coming = _periods(calendar, parameter, now)
        return ScheduledBudgets(first, tuple(coming), calendar.largest_budget(parameter, now))

    def largest_budget(self, parameter: Budget, now: datetime) -> Budget:
        """Returns for each type the most that the parameter or the calendar gives from now on."""
        calendar = self._calendar_if_readable()
        return calendar.largest_budget(parameter, now) if calendar else parameter

    def _set_by_operators(self, budget: Budget, excess: Excess, parameter: Budget, now: datetime) -> ScheduledBudgets:
        try:
            calendar = self._calendar()
        except BadDocument:  # the budget still holds; which plans go on is not known, so none of their jobs is stopped
            rule = ExcessRule(excess, lets_plans_finish=True)
            return ScheduledBudgets(Period(now, budget, rule), (), parameter, calendar_rests=True)
        if calendar is None:
            return ScheduledBudgets(Period(now, budget, ExcessRule(excess)), (), parameter, calendar_rests=True)
        first, *coming = _periods(calendar.training_plans_only(excess), budget, now)
        return ScheduledBudgets(first, tuple(coming), calendar.largest_budget(parameter, now), calendar_rests=True)

    def _calendar_if_readable(self) -> Calendar | None:
        try:
            return self._calendar()
        except BadDocument:
            return None  # scheduled_budgets reports it

    def _calendar(self) -> Calendar | None:
        document = self.store.latest()
        if document is None:
            return None
        return calendar_of(document.text)


def _periods(calendar: Calendar, base: Budget, now: datetime) -> Iterator[Period]:
    return periods(calendar, base, now, now + 2 * HORIZON)
