"""The calendar as operators see it: read it, see what another would give, put it into force."""

from attrs import evolve, frozen

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.calendar.calendar import periods
from scheduler.core.calendar.document import accepted
from scheduler.core.calendar.period import Period
from scheduler.core.documents.document import Document
from scheduler.core.jobs.budget import Budget
from scheduler.observe.budget_schedule import HORIZON, BudgetSchedule, ScheduledBudgets
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore


@frozen
class CalendarEditor:
    book: VersionedDocument
    controls: ControlStore
    budget_schedule: BudgetSchedule
    parameter: Budget
    clock: Clock

    def show(self) -> Document | None:
        return self.book.show()

    def in_force(self) -> ScheduledBudgets:
        """Which budgets hold now and in the weeks to come."""
        now = self.clock.now()
        known = self.budget_schedule.in_force(self.controls.read(), self.parameter, now)
        return evolve(known, coming=tuple(period for period in known.coming if period.begins < now + HORIZON))

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a calendar into force, as a whole. Raises BadCalendar, or StaleCalendar if `replaces` is not in force."""
        accepted(text, self.parameter, self.clock.now())
        return self.book.apply(text, caller, replaces)

    def dry_run(self, text: str) -> tuple[Period, ...]:
        """Which budgets it would give now and in the weeks to come. Nothing is changed. Raises BadCalendar."""
        now = self.clock.now()
        return tuple(periods(accepted(text, self.parameter, now), self.parameter, now, now + HORIZON))
