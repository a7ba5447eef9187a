"""Reads which part of the history is meant."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from attrs import frozen

from scheduler.errors.refusals import BadRequest

MAX_CHANGES = 1000
DEFAULT_SPAN = timedelta(days=1)
_BEGINNING = datetime.min.replace(tzinfo=UTC)
_MEMBERS = ("since", "until", "job", "limit", "next")
_REMEDY = "Use ISO 8601 with a time zone, as in 2026-11-21T12:00:00Z."


@frozen
class Span:
    since: datetime
    until: datetime
    limit: int  # changes that are looked at for one page
    job: str | None


def span_of(given: Mapping[str, str], now: datetime) -> Span:
    """The last day, unless the caller says otherwise. Raises BadRequest."""
    if unknown := sorted(given.keys() - {*_MEMBERS}):
        name = unknown[0][:100]
        raise BadRequest(f"{name!r} is nothing to ask for", field=name, remedy=f"There are {', '.join(_MEMBERS)}.")
    until = _moment_in(given, "until", now + timedelta(minutes=1))  # what is recorded now, whosever clock is right
    since = _moment_in(given, "since", max(until, _BEGINNING + DEFAULT_SPAN) - DEFAULT_SPAN)
    if since > until:
        raise BadRequest("since is after until", field="since", remedy="Ask for an earlier time, or change until.")
    return Span(since, until, _limit_in(given.get("limit")), given.get("job"))


def _moment_in(given: Mapping[str, str], name: str, usual: datetime) -> datetime:
    if name not in given:
        return usual
    try:
        moment = datetime.fromisoformat(given[name])
        if moment.tzinfo is None:
            raise BadRequest(f"{given[name][:40]!r} has no time zone", field=name, remedy=_REMEDY)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadRequest(f"{given[name][:40]!r} is not a time", field=name, remedy=_REMEDY) from error


def _limit_in(text: str | None) -> int:
    if text is None:
        return MAX_CHANGES
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= MAX_CHANGES:
        raise BadRequest(f"{text[:20]!r} is not a page size", field="limit", remedy=f"Use 1 to {MAX_CHANGES}.")
    return int(text)
