"""Tables for `why` and `whatif`: the reason for a wait, priority factors and the expected start."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.explanations import Explanation, Forecast, PriorityParts, Starts
from sagequeue.contract.jobs import WITHOUT_POSITION, Job
from sagequeue.tables.formats import facts_of, local_time, range_text, rough, since
from sagequeue.tables.jobs import saves_text

_UNCOUNTED = "more jobs than the queue counts"
_DEADLINES = {
    "met": "expected to be met",
    "at_risk": "at risk: met only if jobs end before their time limits",
    "missed": "expected to be missed",
    "unknown": "not known yet",
}


def explanation_view(explanation: Explanation, job: Job | None, now: datetime) -> RenderableType:
    """Returns a job's reason, position, expected start and priority factors; for a live `job`, also its saves."""
    saves = saves_text(job, now) if job else ""
    facts = facts_of([*_facts(explanation, now), *([("saves", Text(saves))] if saves else [])])
    if explanation["priority"] is None:
        return facts
    parts = facts_of(_parts(explanation["priority"], now))
    return Group(facts, Text("\nPriority factors (the first difference decides):", style="dim"), parts)


def forecast_view(forecast: Forecast, now: datetime) -> RenderableType:
    """Returns the forecast for a request."""
    return Group(facts_of(_forecast_facts(forecast, now)), Text("\nNothing was submitted.", style="dim"))


def _facts(explanation: Explanation, now: datetime) -> Iterator[tuple[str, Text]]:
    yield "job", Text(explanation["name"], style="bold")
    yield "state", Text(explanation["state"])
    yield "why", Text(explanation["reason"]["message"] or explanation["reason"]["code"])
    if explanation["reason"]["message"]:
        yield "reason", Text(explanation["reason"]["code"])
    for warning in explanation["near_limits"]:
        yield "spending", Text(warning)
    for rank, sentence in enumerate(explanation["ranking"], start=1):
        yield f"rank {rank}", Text(sentence)
    for misfit in explanation["pools"]:
        yield "no match", Text(f"the warm pool of {misfit['pool']} differs in {', '.join(misfit['fields'])}")
    if explanation["priority"] is None:
        return
    if explanation["reason"]["code"] not in WITHOUT_POSITION:
        yield "position", Text(str(explanation["position"] or f"behind {_UNCOUNTED}"))
    if explanation["waits_for"]:
        yield "waits for", Text(", ".join(explanation["waits_for"]))
    yield "starts", Text(_start(explanation["starts"], now))
    yield from _deadline(explanation["deadline"])


def _parts(parts: PriorityParts, now: datetime) -> Iterator[tuple[str, Text]]:
    yield "reserved", _yes(parts["is_reserved_for"], "other jobs were stopped for this job")
    yield "long-waiting", _yes(parts["is_long_waiting"], "a share of the budget is reserved for it")
    yield "below quota", _yes(parts["is_below_quota"], "its team uses less than its quota")
    yield "priority", Text(str(parts["priority"]))
    if (used := parts["owner_weighted_seconds"]) is not None:
        yield "owner", Text(f"{used / 3600:.1f} weighted hours used recently; the owner with the least is next")
    if parts["expected_run_time"] is not None:
        yield "run time", Text(f"about {rough(timedelta(seconds=parts['expected_run_time']))} expected")
    yield "waiting", Text(f"{since(parts['submitted_at'], now)}, since {local_time(parts['submitted_at'])}")


def _forecast_facts(forecast: Forecast, now: datetime) -> Iterator[tuple[str, Text]]:
    yield "starts", Text("now" if forecast["starts_now"] else _start(forecast["starts"], now))
    yield from _deadline(forecast["deadline"])
    yield "why", Text(forecast["reason"]["message"] or forecast["reason"]["code"])
    if not forecast["starts_now"]:
        yield "behind", Text(_jobs_ahead(forecast["behind"]))
    yield "preempts", Text(", ".join(forecast["preempts"]) or "no jobs")
    yield "cost", Text(range_text(forecast["cost_range"]))


def _deadline(outlook: str | None) -> Iterator[tuple[str, Text]]:
    if outlook is not None:
        yield "deadline", Text(_DEADLINES.get(outlook, outlook))


def _jobs_ahead(count: int | None) -> str:
    return _UNCOUNTED if count is None else f"{count} waiting {'job' if count == 1 else 'jobs'}"


def _yes(holds: bool, meaning: str) -> Text:  # noqa: FBT001  # the fact itself is the argument
    return Text(f"yes: {meaning}" if holds else "no")


def _start(start: Starts | None, now: datetime) -> str:
    """Returns for example "in 2 h to 5 h, between 2026-11-21 14:05:00 and 2026-11-21 17:05:00; after bert"."""
    if start is None or start["earliest"] is None:
        return "not known yet"
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
