"""Why a job waits and when it may start, as people read it in a terminal."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.explanations import Explanation, Forecast, PriorityParts, Starts
from sagequeue.tables.formats import local_time, range_text, rough, since
from sagequeue.tables.layout import facts_of

_UNCOUNTED = "more jobs than the queue counts"


def explanation_view(explanation: Explanation, now: datetime) -> RenderableType:
    """Reason, place, what it waits for, the expected start, and what gives it its place."""
    facts = facts_of(_facts(explanation, now))
    if explanation["priority"] is None:
        return facts
    parts = facts_of(_parts(explanation["priority"], now))
    return Group(facts, Text("\nIts place comes from, the first difference deciding:", style="dim"), parts)


def outlook_view(outlook: Forecast, now: datetime) -> RenderableType:
    """What would happen to a request."""
    return Group(facts_of(_prospects(outlook, now)), Text("\nNothing was submitted.", style="dim"))


def _facts(explanation: Explanation, now: datetime) -> Iterator[tuple[str, Text]]:
    yield "job", Text(explanation["name"], style="bold")
    yield "state", Text(explanation["state"])
    yield "why", Text(explanation["reason"]["message"] or explanation["reason"]["code"])
    for told in explanation.get("near_limits", ()):  # an older queue does not tell
        yield "spending", Text(told)
    for misfit in explanation.get("pools", ()):  # an older queue does not tell
        yield "no match", Text(f"for the warm pool of {misfit['pool']}: {', '.join(misfit['fields'])}")
    if explanation["priority"] is None:
        return
    yield "position", Text(str(explanation["position"] or f"behind {_UNCOUNTED}"))
    if explanation["waits_for"]:
        yield "waits for", Text(", ".join(explanation["waits_for"]))
    yield "starts", Text(_start(explanation["starts"], now))


def _parts(parts: PriorityParts, now: datetime) -> Iterator[tuple[str, Text]]:
    yield "promised", _yes(parts["is_reserved_for"], "other jobs were stopped for it")
    yield "elder", _yes(parts["is_long_waiting"], "it has waited so long that a share of the budget is its own")
    yield "entitled", _yes(parts["is_below_guarantee"], "its team has less than is guaranteed to it")
    yield "priority", Text(str(parts["priority"]))
    if parts["expected_run_time"] is not None:
        yield "run time", Text(f"about {rough(timedelta(seconds=parts['expected_run_time']))} expected")
    yield "waiting", Text(f"{since(parts['submitted_at'], now)}, since {local_time(parts['submitted_at'])}")


def _prospects(outlook: Forecast, now: datetime) -> Iterator[tuple[str, Text]]:
    yield "starts", Text("at once" if outlook["starts_now"] else _start(outlook["starts"], now))
    yield "why", Text(outlook["reason"]["message"] or outlook["reason"]["code"])
    if not outlook["starts_now"]:
        yield "behind", Text(_jobs_ahead(outlook["behind"]))
    yield "preempts", Text(", ".join(outlook["preempts"]) or "nothing")
    if "cost_range" in outlook:  # an older queue does not tell
        yield "cost", Text(range_text(outlook["cost_range"]))


def _jobs_ahead(count: int | None) -> str:
    return _UNCOUNTED if count is None else f"{count} waiting {'job' if count == 1 else 'jobs'}"


def _yes(holds: bool, meaning: str) -> Text:  # noqa: FBT001  # the fact itself
    return Text(f"yes: {meaning}" if holds else "no")


def _start(start: Starts | None, now: datetime) -> str:
    """For example "in 2 h to 5 h, between 2026-11-21 14:05:00 and 2026-11-21 17:05:00; after bert"."""
    if start is None or start["earliest"] is None:
        return "nobody can tell yet"
    after = f"; after {start['after']}" if start["after"] else ""
    soonest, earliest = _ahead(start["earliest"], now), local_time(start["earliest"])
    if start["latest"] is None:
        return f"in {soonest} at the earliest, {earliest}{after}"
    longest, latest = _ahead(start["latest"], now), local_time(start["latest"])
    if soonest == longest:
        return f"in about {soonest}, {earliest}{after}"
    return f"in {soonest} to {longest}, between {earliest} and {latest}{after}"


def _ahead(time: str, now: datetime) -> str:
    return rough(datetime.fromisoformat(time) - now)
