"""GET, PUT and check of the calendar: a document that changes the budget on a schedule."""

from collections.abc import Iterable

from typing_extensions import TypedDict

from api.documents.versions import DocumentAnswer, document_view, replaced_version
from api.http.answers import Time
from api.http.call import Call
from api.http.views import time_view
from scheduler.core.calendar.period import Excess
from scheduler.core.calendar.period import Period as BudgetPeriod
from scheduler.core.callers.permissions import Verb
from scheduler.core.documents.document import Document
from scheduler.observe.budget_schedule import ScheduledBudgets
from scheduler.wiring import config, shared

#: The document that has the same effect as none.
NO_CALENDAR_TEXT = '{"format": 1, "time_zone": "UTC", "windows": []}'


class Period(TypedDict):
    """A budget until the next period begins. `excess` says, by type, what happens to jobs that hold more than it."""

    begins: Time
    budget: dict[str, int]
    excess: dict[str, Excess]
    windows: list[str]


class Calendar(DocumentAnswer):
    """The applied calendar; version 0 means that there is none.

    `periods` are the budgets from now on, for up to 28 days. While an operator's own budget is set, it is the only
    period, and the calendar `rests` until that budget is reset.
    """

    rests: bool
    periods: list[Period]


class CalendarDryRun(TypedDict):
    """The budgets that a calendar would give from now on."""

    periods: list[Period]


def get_calendar(_call: Call) -> Calendar:
    editor = config.calendar_editor()
    return _calendar_view(editor.get(), editor.scheduled_budgets())


def apply_calendar(call: Call) -> Calendar:
    shared.authorization().require(Verb.OPERATE, call.caller)
    editor = config.calendar_editor()
    document = editor.apply(call.body, call.caller, replaced_version(call))
    return _calendar_view(document, editor.scheduled_budgets())


def check_calendar(call: Call) -> CalendarDryRun:
    return {"periods": _periods_view(config.calendar_editor().dry_run(call.body))}


def _calendar_view(document: Document | None, budgets: ScheduledBudgets) -> Calendar:
    return {
        **document_view(document, NO_CALENDAR_TEXT),
        "rests": budgets.calendar_rests,
        "periods": _periods_view((budgets.now, *budgets.coming)),
    }


def _periods_view(periods: Iterable[BudgetPeriod]) -> list[Period]:
    return [
        {
            "begins": time_view(period.begins),
            "budget": period.budget.as_dict(),
            "excess": {instance_type: period.excess.of(instance_type) for instance_type in period.budget.types},
            "windows": list(period.windows),
        }
        for period in periods
    ]
