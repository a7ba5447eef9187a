"""The call on the history of all jobs."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api import history_answers
from api.change_views import changes_view
from api.history_reading import span_of
from scheduler import wiring

router = APIGatewayRouter()


@router.get("/history")
def show_history() -> history_answers.Changes:
    query = router.current_event.query_string_parameters or {}
    span = span_of(query, wiring.clock().now())
    page = wiring.change_store().page(span.since, span.until, span.limit, query.get("next"))
    return changes_view([change for change in page.changes if span.job in (None, change.job)], page.next_token)
