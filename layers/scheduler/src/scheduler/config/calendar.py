"""Edits the calendar: get it, check another one, apply it."""

from dataclasses import dataclass, replace

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.calendar.calendar import periods
from scheduler.core.calendar.document import validated
from scheduler.core.calendar.period import Period
from scheduler.core.documents.document import Document
from scheduler.core.jobs.budget import Budget
from scheduler.observe.budget_schedule import HORIZON, BudgetSchedule, ScheduledBudgets
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore


@dataclass(frozen=True, slots=True)
class CalendarEditor:
    """Edits the calendar of budgets."""

    document: VersionedDocument
    controls: ControlStore
    budget_schedule: BudgetSchedule
    parameter: Budget
    clock: Clock

    def get(self) -> Document | None:
        return self.document.get()

    def scheduled_budgets(self) -> ScheduledBudgets:
        """Returns the current budget, and those of the coming weeks."""
        now = self.clock.now()
        budgets = self.budget_schedule.scheduled_budgets(self.controls.read(), self.parameter, now)
        return replace(budgets, coming=tuple(period for period in budgets.coming if period.begins < now + HORIZON))

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Applies a calendar. Raises BadCalendar, or StaleCalendar if `replaces` is not the applied version."""
        validated(text, self.parameter, self.clock.now())
        return self.document.apply(text, caller, replaces)

    def dry_run(self, text: str) -> tuple[Period, ...]:
        """Returns another calendar's budgets, for now and the coming weeks. Changes nothing. Raises BadCalendar."""
        now = self.clock.now()
        return tuple(periods(validated(text, self.parameter, now), self.parameter, now, now + HORIZON))
