"""Changes the controls that operators set while the queue runs: the budget, and whether it accepts jobs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from scheduler.core.calendar.calendar import Calendar, Period, periods
from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.errors.internal import StaleControls
from scheduler.errors.refusals import UnreadableControls
from scheduler.observe.budget_schedule import HORIZON, BudgetSchedule, ScheduledBudgets
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore

#: Operators are few, so that many conflicts in a row do not happen by chance.
MAX_TRIES = 10


class BudgetSource(StrEnum):
    """The source of the budget. An operator overrides the calendar, which overrides the stack's parameter."""

    OPERATOR = "operator"
    CALENDAR = "calendar"
    PARAMETER = "parameter"


@dataclass(frozen=True, slots=True)
class CurrentBudget:
    budget: Budget
    source: BudgetSource
    stop_over_budget: bool


@dataclass(frozen=True, slots=True)
class BudgetAndIntake:
    """Changes can be repeated safely. They raise StaleControls, and UnreadableControls rather than overwrite those."""

    controls: ControlStore
    parameter: Budget
    budget_schedule: BudgetSchedule
    clock: Clock

    def budget(self) -> CurrentBudget:
        return self._current_budget(self._read_controls())

    def scheduled_budgets(self) -> ScheduledBudgets:
        """Returns the current budget, and those of the coming weeks."""
        now = self.clock.now()
        budgets = self.budget_schedule.scheduled_budgets(self.controls.read(), self.parameter, now)
        return replace(budgets, coming=tuple(period for period in budgets.coming if period.begins < now + HORIZON))

    def budgets_under(self, calendar: Calendar) -> tuple[Period, ...]:
        """Returns the budgets that another calendar would give, for now and the coming weeks."""
        now = self.clock.now()
        return tuple(periods(calendar, self.parameter, now, now + HORIZON))

    def set_budget(self, budget: Budget, *, stop_over_budget: bool) -> CurrentBudget:
        """Sets the budget. `stop_over_budget` also stops jobs above it; without it none starts until they fit."""
        return self._current_budget(
            self._change(lambda controls: replace(controls, budget=budget, stop_over_budget=stop_over_budget))
        )

    def reset_budget(self) -> CurrentBudget:
        return self._current_budget(
            self._change(lambda controls: replace(controls, budget=None, stop_over_budget=False))
        )

    def set_intake(self, *, is_open: bool) -> bool:
        return self._change(lambda controls: replace(controls, intake_open=is_open)).intake_open

    def _read_controls(self) -> Controls:
        controls = self.controls.read()
        if not controls.is_readable:
            raise UnreadableControls
        return controls

    def _change(self, change: Callable[[Controls], Controls]) -> Controls:
        for _ in range(MAX_TRIES):
            controls = self._read_controls()
            changed = change(controls)
            if changed == controls:
                return controls
            try:
                return self.controls.write(changed, by="api")
            except StaleControls:
                continue  # another operator was faster: read again
        raise StaleControls(f"{MAX_TRIES} times in a row")

    def _current_budget(self, controls: Controls) -> CurrentBudget:
        now = self.budget_schedule.scheduled_budgets(controls, self.parameter, self.clock.now()).now
        by_calendar = BudgetSource.CALENDAR if now.windows else BudgetSource.PARAMETER
        source = by_calendar if controls.budget is None else BudgetSource.OPERATOR
        return CurrentBudget(now.budget, source, controls.stop_over_budget)
