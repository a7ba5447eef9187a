"""The current and the coming budgets: an operator's own budget, else the calendar's, else the stack's parameter."""

import logging
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
        """Returns the budgets from now on. Under an operator's own budget, only training plans change it."""
        own, excess = controls.budget, Excess.STOP if controls.stop_over_budget else Excess.FINISH
        try:
            calendar = self._calendar()
        except BadDocument as error:
            if own is not None:
                # The budget still holds. Which plans go on is not known, so none of their jobs is stopped.
                rule = ExcessRule(excess, lets_plans_finish=True)
                return ScheduledBudgets(Period(now, own, rule), (), parameter, calendar_rests=True)
            logger.error("unreadable calendar", extra={"cause": str(error)})  # noqa: TRY400 - its text says it all
            return ScheduledBudgets(Period(now, parameter), is_readable=False)
        if calendar is None and own is not None:
            return ScheduledBudgets(Period(now, own, ExcessRule(excess)), (), parameter, calendar_rests=True)
        if calendar is None:
            return ScheduledBudgets(Period(now, parameter))
        in_force = calendar if own is None else calendar.training_plans_only(excess)
        first, *coming = periods(in_force, own or parameter, now, now + 2 * HORIZON)
        largest = calendar.largest_budget(parameter, now)
        return ScheduledBudgets(first, tuple(coming), largest, calendar_rests=own is not None)

    def largest_budget(self, parameter: Budget, now: datetime) -> Budget:
        """Returns for each type the most that the parameter or the calendar gives from now on."""
        try:
            calendar = self._calendar()
        except BadDocument:
            return parameter  # scheduled_budgets reports it
        return calendar.largest_budget(parameter, now) if calendar else parameter

    def _calendar(self) -> Calendar | None:
        document = self.store.latest()
        return calendar_of(document.text) if document else None
