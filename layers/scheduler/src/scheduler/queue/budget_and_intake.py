"""Changes the controls that operators set at run time: the budget, and whether the queue accepts jobs."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scheduler.core.calendar.budget_schedule import HORIZON, ScheduledBudgets, scheduled_budgets
from scheduler.core.calendar.calendar import Period
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.budget import Budget
from scheduler.core.sections.controls import Controls
from scheduler.errors.internal import StaleControls
from scheduler.errors.unreadable import UnreadableControls
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore
from scheduler.ports.job_store import API

#: The most tries for one change. There are few operators, so this many conflicts in a row cannot be chance.
MAX_TRIES = 10


class BudgetSource(StrEnum):
    """The source of the budget.

    An operator's budget overrides the calendar's budget, which overrides the stack's budget.
    """

    OPERATOR = "operator"
    CALENDAR = "calendar"
    PARAMETER = "parameter"


@dataclass(frozen=True, slots=True)
class CurrentBudget:
    """The current budget, the budgets of the next few weeks, and the last change by an operator."""

    budgets: ScheduledBudgets
    source: BudgetSource
    controls: Controls


@dataclass(frozen=True, slots=True)
class BudgetAndIntake:
    """Reads and changes the budget and intake. Each change can be repeated safely.

    A change raises StaleControls if other operators keep changing the controls. If the controls cannot be read, a
    change raises UnreadableControls instead of overwriting them.
    """

    controls: ControlStore
    configuration: ConfigurationReader
    clock: Clock

    def budget(self) -> CurrentBudget:
        return self._current_budget(self._read_controls())

    def periods_under(self, configuration: Configuration) -> tuple[Period, ...]:
        """Returns the current and upcoming budget periods under another configuration."""
        return self._current_budget(self._read_controls(), configuration).budgets.periods

    def set_budget(self, budget: Budget, *, stop_over_budget: bool, author: str) -> CurrentBudget:
        """Sets the budget.

        With `stop_over_budget`, also stops jobs that exceed the budget. Without it, these jobs keep running, and no
        other job starts until the running jobs fit.
        """
        return self._current_budget(self._change(author, budget=budget, stop_over_budget=stop_over_budget))

    def reset_budget(self, author: str) -> CurrentBudget:
        return self._current_budget(self._change(author, budget=None, stop_over_budget=False))

    def set_intake(self, *, is_open: bool, author: str) -> bool:
        return self._change(author, intake_open=is_open).intake_open

    def _read_controls(self) -> Controls:
        controls = self.controls.read()
        if not controls.is_readable:
            raise UnreadableControls
        return controls

    def _change(self, author: str, **values: Any) -> Controls:
        for _ in range(MAX_TRIES):
            controls = self._read_controls()
            changed = replace(controls, **values)
            if changed == controls:
                return controls
            try:
                return self.controls.write(replace(changed, author=author, changed_at=self.clock.now()), by=API)
            except StaleControls:
                continue  # another operator was faster: read again
        raise StaleControls(f"{MAX_TRIES} times in a row")

    def _current_budget(self, controls: Controls, configuration: Configuration | None = None) -> CurrentBudget:
        now, configuration = self.clock.now(), configuration or self.configuration.current()
        budgets = scheduled_budgets(configuration.calendar, controls, self.configuration.stack.budget, now)
        coming = tuple(period for period in budgets.coming if period.begins < now + HORIZON)
        by_calendar = BudgetSource.CALENDAR if budgets.now.windows else BudgetSource.PARAMETER
        source = by_calendar if controls.budget is None else BudgetSource.OPERATOR
        return CurrentBudget(replace(budgets, coming=coming), source, controls)
