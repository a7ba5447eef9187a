"""The calls on the calendar of budgets: read it, see what another would give, put it into force."""

from api.documents.calendar_answers import Calendar, CalendarTrial
from api.documents.calendar_views import calendar_trial_view, calendar_view
from api.documents.replaced_version import replaced_version
from api.http.call import Call
from scheduler.core.callers.permissions import Verb
from scheduler.wiring import config, shared


def show_calendar(_call: Call) -> Calendar:
    book = config.calendar_editor()
    return calendar_view(book.show(), book.in_force())


def apply_calendar(call: Call) -> Calendar:
    shared.authorization().require(Verb.OPERATE, call.caller)
    book = config.calendar_editor()
    document = book.apply(call.body, call.caller, replaced_version(call))
    return calendar_view(document, book.in_force())


def check_calendar(call: Call) -> CalendarTrial:
    return calendar_trial_view(config.calendar_editor().dry_run(call.body))
