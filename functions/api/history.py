"""GET /history: pages of the recorded changes of all jobs. The history function sends the same JSON to EventBridge."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from typing_extensions import TypedDict

from api.answers import Reason, Time, optional_time_view, time_view
from api.call import Call, page_size_of
from scheduler.core.history import change
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job import ActionKind, JobState
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import change_log, shared

MAX_CHANGES = 1000
DEFAULT_SPAN = timedelta(days=1)
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_PARAMETERS = ("since", "until", "job", "limit", "next")
_REMEDY = "Use ISO 8601 with a time zone, as in 2026-11-21T12:00:00Z."


class Done(TypedDict):
    """A user's action on a job, or a decision of the queue; `by` is the caller's ARN, or `queue`."""

    kind: ActionKind
    by: str


class Run(TypedDict):
    """An attempt that has ended. Seconds count for each instance, as SageMaker reports them. It reports
    `retained_seconds`, of the warm pool that the attempt left, once the pool is gone.
    """

    number: int
    name: str
    outcome: Outcome
    waited_since: Time
    reserved_at: Time
    training_started_at: Time | None
    ended_at: Time
    instances: dict[str, int]
    billable_seconds: int | None
    retained_seconds: int
    interruptions: int
    failure_class: FailureClass | None
    beneficiary: str | None


class Change(TypedDict):
    """A version of a job. `run` is the last attempt that has ended, even if an earlier change already has it."""

    job: str
    version: int
    recorded_at: Time
    changed_at: Time
    written_by: str
    state: JobState
    reason: Reason
    priority: int
    instances: dict[str, int]
    owner: str
    team: str | None
    tags: dict[str, str]
    submitted_at: Time
    max_runtime: int
    checkpoint_interval: int | None
    has_checkpoints: bool
    never_preempt: bool
    done: list[Done]
    run: Run | None
    stopped_for: str | None


class Changes(TypedDict):
    """One page of the history, the oldest change first. `next` is the token of the next page."""

    changes: list[Change]
    next: str | None


def list_changes(call: Call) -> Changes:
    query, now = call.query, shared.clock().now()
    if unknown := sorted(query.keys() - {*_PARAMETERS}):
        name = unknown[0][:100]
        raise BadRequest(f"{name!r} is not a parameter", field=name, remedy=f"Use {', '.join(_PARAMETERS)}.")
    until = _moment_in(query, "until", now + timedelta(minutes=1))  # includes changes of now if clocks differ
    since = _moment_in(query, "since", max(until, _EARLIEST + DEFAULT_SPAN) - DEFAULT_SPAN)
    if since > until:
        raise BadRequest("since is after until", field="since", remedy="Use an earlier time, or change until.")
    size = page_size_of(query.get("limit"), default=MAX_CHANGES, most=MAX_CHANGES)
    page = change_log.change_store().page(since, until, size, query.get("next"))
    job = query.get("job")
    changes = [change_view(recorded) for recorded in page.changes if job in (None, recorded.job)]
    return {"changes": changes, "next": page.next_token}


def change_view(recorded: change.Change) -> Change:
    return {
        "job": recorded.job,
        "version": recorded.version,
        "recorded_at": time_view(recorded.recorded_at),
        "changed_at": time_view(recorded.changed_at),
        "written_by": recorded.written_by,
        "state": recorded.state,
        "reason": {"code": recorded.reason, "message": recorded.message},
        "priority": recorded.priority,
        "instances": recorded.demand.as_dict(),
        "owner": recorded.owner,
        "team": recorded.team or None,
        "tags": dict(recorded.tags),
        "submitted_at": time_view(recorded.submitted_at),
        "max_runtime": recorded.max_runtime,
        "checkpoint_interval": recorded.checkpoint_interval,
        "never_preempt": recorded.never_preempt,
        "has_checkpoints": recorded.has_checkpoints,
        "done": [{"kind": action.kind, "by": action.by} for action in recorded.done],
        "run": _run_view(recorded.run) if recorded.run else None,
        "stopped_for": recorded.stopped_for or None,
    }


def _run_view(run: change.Run) -> Run:
    return {
        "number": run.number,
        "name": run.name,
        "outcome": run.outcome,
        "waited_since": time_view(run.waited_since),
        "reserved_at": time_view(run.reserved_at),
        "training_started_at": optional_time_view(run.training_started_at),
        "ended_at": time_view(run.ended_at),
        "instances": run.demand.as_dict(),
        "billable_seconds": run.billable_seconds,
        "retained_seconds": run.retained_seconds,
        "interruptions": run.interruptions,
        "failure_class": run.failure_class,
        "beneficiary": run.beneficiary or None,
    }


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
