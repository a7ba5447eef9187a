"""Reconstructs past budgets from the operators' own budgets and the calendars that applied at the time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, pairwise
from operator import attrgetter
from typing import TypeVar

from scheduler.core.calendar.budget_schedule import budget_periods
from scheduler.core.calendar.calendar import Calendar
from scheduler.core.jobs.budget import Budget
from scheduler.core.sections.controls import Controls
from scheduler.errors.unreadable import UnreadableControls
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore
from scheduler.queue.budget_and_intake import BudgetSource

#: The most versions to read, since each takes a call. The oldest version read counts as if it had always applied.
MOST_VERSIONS = 100
_CONTROLS_PAGE = 50
_ALWAYS = datetime.min.replace(tzinfo=UTC)
Setting = TypeVar("Setting")


@dataclass(frozen=True, slots=True)
class PastBudget:
    """A budget that applied until the next budget began."""

    begins: datetime
    budget: Budget
    source: BudgetSource
    operator: str = ""  # the ARN of the operator who set it; empty if no operator did

    def continues(self, earlier: "PastBudget") -> bool:
        return (self.budget, self.source) == (earlier.budget, earlier.source)


@dataclass(frozen=True, slots=True)
class PastBudgets:
    controls: ControlStore
    configuration: ConfigurationReader
    clock: Clock

    def since(self, since: datetime) -> tuple[PastBudget, ...]:
        """Returns the budgets from `since` until now. Raises UnreadableControls.

        Earlier values of the stack's parameter are not recorded, so the current value is used.
        """
        until = max(self.clock.now(), since)
        controls = _in_force(since, self._controls())
        calendars = _in_force(since, self._calendars())
        edges = {begins for begins, _ in [*controls, *calendars] if since < begins < until}
        found: list[PastBudget] = []
        for begin, end in pairwise(sorted({since, until} | edges)):
            for budget in self._between(begin, end, _at(begin, calendars), _at(begin, controls)):
                if not found or not budget.continues(found[-1]):
                    found.append(budget)
        return tuple(found)

    def _between(self, begin: datetime, end: datetime, calendar: Calendar, controls: Controls) -> Iterator[PastBudget]:
        is_own = controls.budget is not None
        for period in budget_periods(calendar, controls, self.configuration.stack.budget, begin, end):
            by_calendar = BudgetSource.CALENDAR if period.windows else BudgetSource.PARAMETER
            source = BudgetSource.OPERATOR if is_own else by_calendar
            yield PastBudget(period.begins, period.budget, source, controls.author if is_own else "")

    def _controls(self) -> Iterator[tuple[datetime, Controls]]:
        """Yields the controls that changed the budget, latest first. Skips controls that changed only the intake."""
        for _, same in groupby(self._versions(), attrgetter("budget")):
            *_, first = same
            yield first.changed_at or _ALWAYS, first

    def _versions(self) -> Iterator[Controls]:
        """Yields the current and the earlier controls, latest first."""
        now = self.controls.read()
        if not now.is_readable:
            raise UnreadableControls
        page = [now]
        while page:
            yield from page
            page = self.controls.before(page[-1].version, _CONTROLS_PAGE)
        yield Controls()

    def _calendars(self) -> Iterator[tuple[datetime, Calendar]]:
        before = None
        for _ in range(MOST_VERSIONS):
            version, configuration = self.configuration.in_force(before)
            yield version.applied_at or _ALWAYS, configuration.calendar
            before = version.version


def _in_force(since: datetime, newest_first: Iterable[tuple[datetime, Setting]]) -> list[tuple[datetime, Setting]]:
    """Returns the setting that applied at that time, and all later settings, latest first."""
    found = []
    for begins, setting in newest_first:
        found.append((begins, setting))
        if begins <= since:
            break
    return found


def _at(time: datetime, newest_first: list[tuple[datetime, Setting]]) -> Setting:
    return next((setting for begins, setting in newest_first if begins <= time), newest_first[-1][1])
