"""What operators change while the queue runs: the budget, and whether jobs are accepted."""

from collections.abc import Callable
from enum import StrEnum

from attrs import evolve, frozen

from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.errors.internal import StaleControls
from scheduler.errors.refusals import UnreadableControls
from scheduler.observe.budget_schedule import BudgetSchedule
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore

#: Operators are few; so many collisions in a row do not happen by chance.
MAX_TRIES = 10


class BudgetSource(StrEnum):
    """Who says what the budget is; an operator comes before the calendar, and that before the stack's parameter."""

    OPERATOR = "operator"
    CALENDAR = "calendar"
    PARAMETER = "parameter"


@frozen
class CurrentBudget:
    budget: Budget
    source: BudgetSource
    stop_over_budget: bool


@frozen
class BudgetAndIntake:
    """Each change can be repeated without harm. All raise StaleControls if others keep changing the same.

    What cannot be read is not written over, because nobody knows what else it said: UnreadableControls.
    """

    controls: ControlStore
    parameter: Budget
    budget_schedule: BudgetSchedule
    clock: Clock

    def budget(self) -> CurrentBudget:
        return self._in_force(self._known())

    def set_budget(self, budget: Budget, *, stop_over_budget: bool) -> CurrentBudget:
        """`stop_over_budget` also stops what runs beyond the new budget; without it nothing starts until it fits."""
        return self._in_force(
            self._change(lambda known: evolve(known, budget=budget, stop_over_budget=stop_over_budget))
        )

    def reset_budget(self) -> CurrentBudget:
        return self._in_force(self._change(lambda known: evolve(known, budget=None, stop_over_budget=False)))

    def set_intake(self, *, is_open: bool) -> bool:
        return self._change(lambda known: evolve(known, intake_open=is_open)).intake_open

    def _known(self) -> Controls:
        known = self.controls.read()
        if not known.is_readable:
            raise UnreadableControls
        return known

    def _change(self, change: Callable[[Controls], Controls]) -> Controls:
        for _ in range(MAX_TRIES):
            known = self._known()
            wished = change(known)
            if wished == known:
                return known
            try:
                return self.controls.write(wished, by="api")
            except StaleControls:
                continue  # somebody else was faster: look again
        raise StaleControls(f"{MAX_TRIES} times in a row")

    def _in_force(self, known: Controls) -> CurrentBudget:
        now = self.budget_schedule.in_force(known, self.parameter, self.clock.now()).now
        by_calendar = BudgetSource.CALENDAR if now.windows else BudgetSource.PARAMETER
        source = by_calendar if known.budget is None else BudgetSource.OPERATOR
        return CurrentBudget(now.budget, source, known.stop_over_budget)
