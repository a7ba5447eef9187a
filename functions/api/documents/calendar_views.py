"""The JSON of the calendar (docs/api.md)."""

from collections.abc import Iterable

from api.documents.calendar_answers import Calendar, CalendarTrial, Period
from api.http.views import document_view, time_view
from scheduler.core.calendar import period as domain
from scheduler.core.documents.document import Document
from scheduler.observe.budget_schedule import ScheduledBudgets

#: What holds where nobody has laid down a calendar.
NO_CALENDAR_TEXT = '{"format": 1, "time_zone": "UTC", "windows": []}'


def calendar_view(document: Document | None, in_force: ScheduledBudgets) -> Calendar:
    return {
        **document_view(document, NO_CALENDAR_TEXT),
        "rests": in_force.calendar_rests,
        "periods": _periods_view((in_force.now, *in_force.coming)),
    }


def calendar_trial_view(periods: Iterable[domain.Period]) -> CalendarTrial:
    return {"periods": _periods_view(periods)}


def _periods_view(periods: Iterable[domain.Period]) -> list[Period]:
    return [
        {
            "begins": time_view(period.begins),
            "budget": period.budget.as_dict(),
            "excess": {kind: period.excess.of(kind) for kind in period.budget.types},
            "windows": list(period.windows),
        }
        for period in periods
    ]
