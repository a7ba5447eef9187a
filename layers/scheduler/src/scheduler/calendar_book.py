"""The calendar as operators see it: read it, see what another would give, put it into force."""

from attrs import evolve, frozen

from scheduler.document_book import DocumentBook
from scheduler.domain.budget import Budget
from scheduler.domain.document import Document
from scheduler.domain.period import Period
from scheduler.policy.calendar.calendar import periods
from scheduler.policy.calendar.document import accepted
from scheduler.ports.clock import Clock
from scheduler.ports.operators import ControlStore
from scheduler.timetable import HORIZON, InForce, Timetable


@frozen
class CalendarBook:
    book: DocumentBook
    controls: ControlStore
    timetable: Timetable
    parameter: Budget
    clock: Clock

    def show(self) -> Document | None:
        return self.book.show()

    def in_force(self) -> InForce:
        """Which budgets hold now and in the weeks to come."""
        now = self.clock.now()
        known = self.timetable.in_force(self.controls.read(), self.parameter, now)
        return evolve(known, coming=tuple(period for period in known.coming if period.begins < now + HORIZON))

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a calendar into force, as a whole. Raises BadCalendar, or StaleCalendar if `replaces` is not in force."""
        accepted(text, self.parameter, self.clock.now())
        return self.book.apply(text, caller, replaces)

    def try_out(self, text: str) -> tuple[Period, ...]:
        """Which budgets it would give now and in the weeks to come. Nothing is changed. Raises BadCalendar."""
        now = self.clock.now()
        return tuple(periods(accepted(text, self.parameter, now), self.parameter, now, now + HORIZON))
