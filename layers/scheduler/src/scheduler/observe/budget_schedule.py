"""Which budget is in force now and later: what an operator has set, else the calendar's, else the stack's parameter."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from attrs import frozen

from scheduler.core.calendar.period import Excess, ExcessRule, Period
from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.errors.config_errors import BadCalendar
from scheduler.ports.config_store import DocumentStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler.core.calendar.calendar import Calendar

logger = logging.getLogger(__name__)

#: How far ahead starts are looked for. No job runs longer, so the budgets until twice as far decide about them.
HORIZON = timedelta(seconds=MAX_MAX_RUNTIME)


@frozen
class ScheduledBudgets:
    now: Period
    coming: tuple[Period, ...] = ()
    largest_later_budget: Budget | None = None  # the most that may hold then, where it is another than now
    is_readable: bool = True
    calendar_rests: bool = False  # an operator's own budget comes before it


@frozen
class BudgetSchedule:
    store: DocumentStore

    def in_force(self, controls: Controls, parameter: Budget, now: datetime) -> ScheduledBudgets:
        """While an operator's own budget is set, the calendar rests, except for what training plans reserve."""
        if controls.budget is not None:
            excess = Excess.STOP if controls.stop_over_budget else Excess.FINISH
            return self._set_by_operators(controls.budget, excess, parameter, now)
        try:
            calendar = self._calendar()
        except BadCalendar as error:
            logger.error("unreadable calendar", extra={"cause": str(error)})  # noqa: TRY400 - its text says it all
            return ScheduledBudgets(Period(now, parameter), is_readable=False)
        if calendar is None:
            return ScheduledBudgets(Period(now, parameter))
        first, *coming = _periods(calendar, parameter, now)
        return ScheduledBudgets(first, tuple(coming), calendar.most(parameter, now))

    def most(self, parameter: Budget, now: datetime) -> Budget:
        """For each type the most that the parameter or the calendar gives at any time to come."""
        calendar = self._calendar_if_readable()
        return calendar.most(parameter, now) if calendar else parameter

    def _set_by_operators(self, budget: Budget, excess: Excess, parameter: Budget, now: datetime) -> ScheduledBudgets:
        try:
            calendar = self._calendar()
        except BadCalendar:  # it holds nevertheless; which plans go on is not known, so none of their jobs is stopped
            rule = ExcessRule(excess, lets_plans_finish=True)
            return ScheduledBudgets(Period(now, budget, rule), (), parameter, calendar_rests=True)
        if calendar is None:
            return ScheduledBudgets(Period(now, budget, ExcessRule(excess)), (), parameter, calendar_rests=True)
        first, *coming = _periods(calendar.training_plans_only(excess), budget, now)
        return ScheduledBudgets(first, tuple(coming), calendar.most(parameter, now), calendar_rests=True)

    def _calendar_if_readable(self) -> Calendar | None:
        try:
            return self._calendar()
        except BadCalendar:
            return None  # told where it matters more

    def _calendar(self) -> Calendar | None:
        document = self.store.latest()
        if document is None:
            return None
        from scheduler.core.calendar.document import calendar_of  # here, so that a queue without any starts sooner

        return calendar_of(document.text)


def _periods(calendar: Calendar, base: Budget, now: datetime) -> Iterator[Period]:
    from scheduler.core.calendar.calendar import periods  # here, so that a queue without one starts sooner

    return periods(calendar, base, now, now + 2 * HORIZON)
