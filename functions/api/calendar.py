"""The calls on the calendar of budgets: read it, see what another would give, put it into force."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api.asking import caller
from api.calendar_answers import Calendar, CalendarTrial
from api.calendar_views import calendar_trial_view, calendar_view
from api.document_reading import replaced_version, text_body
from scheduler import wiring
from scheduler.policy.callers.permissions import Verb

router = APIGatewayRouter()


@router.get("/calendar")
def show_calendar() -> Calendar:
    book = wiring.calendar_book()
    return calendar_view(book.show(), book.in_force())


@router.put("/calendar")
def apply_calendar() -> Calendar:
    wiring.access().require(Verb.OPERATE, caller(router))
    book = wiring.calendar_book()
    document = book.apply(text_body(router), caller(router), replaced_version(router))
    return calendar_view(document, book.in_force())


@router.post("/calendar/check")
def check_calendar() -> CalendarTrial:
    return calendar_trial_view(wiring.calendar_book().try_out(text_body(router)))
