"""GET /history: pages of the recorded changes of all jobs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from api.history import history_answers
from api.history.change_views import changes_view
from api.http.call import Call
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import change_log, shared

MAX_CHANGES = 1000
DEFAULT_SPAN = timedelta(days=1)
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_PARAMETERS = ("since", "until", "job", "limit", "next")
_REMEDY = "Use ISO 8601 with a time zone, as in 2026-11-21T12:00:00Z."


@dataclass(frozen=True, slots=True)
class _Span:
    since: datetime
    until: datetime
    limit: int  # changes to read for one page
    job: str | None


def list_changes(call: Call) -> history_answers.Changes:
    span = _span_in(call.query, shared.clock().now())
    page = change_log.change_store().page(span.since, span.until, span.limit, call.query.get("next"))
    return changes_view([change for change in page.changes if span.job in (None, change.job)], page.next_token)


def _span_in(query: Mapping[str, str], now: datetime) -> _Span:
    """Returns the span that the query names; by default the last day. Raises BadRequest."""
    if unknown := sorted(query.keys() - {*_PARAMETERS}):
        name = unknown[0][:100]
        raise BadRequest(f"{name!r} is not a parameter", field=name, remedy=f"Use {', '.join(_PARAMETERS)}.")
    until = _moment_in(query, "until", now + timedelta(minutes=1))  # includes changes of now if clocks differ
    since = _moment_in(query, "since", max(until, _EARLIEST + DEFAULT_SPAN) - DEFAULT_SPAN)
    if since > until:
        raise BadRequest("since is after until", field="since", remedy="Use an earlier time, or change until.")
    return _Span(since, until, _limit_in(query.get("limit")), query.get("job"))


def _moment_in(query: Mapping[str, str], name: str, default: datetime) -> datetime:
    if name not in query:
        return default
    try:
        moment = datetime.fromisoformat(query[name])
        if moment.tzinfo is None:
            raise BadRequest(f"{query[name][:40]!r} has no time zone", field=name, remedy=_REMEDY)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadRequest(f"{query[name][:40]!r} is not a time", field=name, remedy=_REMEDY) from error


def _limit_in(text: str | None) -> int:
    if text is None:
        return MAX_CHANGES
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= MAX_CHANGES:
        raise BadRequest(f"{text[:20]!r} is not a page size", field="limit", remedy=f"Use 1 to {MAX_CHANGES}.")
    return int(text)
