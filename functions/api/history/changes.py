"""The call on the history of all jobs."""

from api.history import history_answers
from api.history.change_views import changes_view
from api.history.history_reading import span_of
from api.http.call import Call
from scheduler.wiring import change_log, shared


def show_history(call: Call) -> history_answers.Changes:
    query = call.query
    span = span_of(query, shared.clock().now())
    page = change_log.change_store().page(span.since, span.until, span.limit, query.get("next"))
    return changes_view([change for change in page.changes if span.job in (None, change.job)], page.next_token)
