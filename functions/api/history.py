"""GET /history: the recorded changes to all jobs, in pages. The history function sends the same JSON to EventBridge."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from typing_extensions import TypedDict

from api.answers import Reason, Time, optional_time_view, time_view
from api.call import Call, moment_in, page_size_of
from scheduler.core.history import change
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.unsaved_work import UnsavedWork
from scheduler.errors.refusals import BadRequest, shortened
from scheduler.wiring import change_log, shared

MAX_CHANGES = 1000
DEFAULT_SPAN = timedelta(days=1)
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_PARAMETERS = ("since", "until", "job", "limit", "next")
_TIME = "%Y-%m-%dT%H:%M:%SZ"


class Done(TypedDict):
    """Something that a user or the queue did to a job. `by` is the caller's ARN, or `queue`."""

    kind: ActionKind
    by: str


class Run(TypedDict):
    """A finished attempt. All seconds are per instance, as SageMaker reports them.

    `retained_seconds` is how long SageMaker kept the attempt's warm pool, known once the pool is gone.
    `spot` is true if it ran on spot instances. `interrupted_seconds` estimates the time since the start of its training
    that spot interruptions cost: waits for new instances, and training that it had to repeat. It is null on spot
    if the job has checkpoints at unknown intervals.
    `lost_seconds_at_most` is the most training time that a preemption can have lost since the last checkpoint.
    `lost_is_measured` is true if the program reported its saves.
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
    spot: bool
    interruptions: int
    interrupted_seconds: int | None
    failure_class: FailureClass | None
    beneficiary: str | None
    lost_seconds_at_most: float
    lost_is_measured: bool


class Change(TypedDict):
    """A version of a job. `run` is the last finished attempt, even if an earlier change already contains it.

    `tags` is empty if the caller is not allowed to control the job.
    """

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
    """One page of the history, oldest change first. `next` is the token of the next page."""

    changes: list[Change]
    next: str | None


def list_changes(call: Call) -> Changes:
    query, now = call.query, shared.clock().now()
    if unknown := sorted(query.keys() - {*_PARAMETERS}):
        name = shortened(unknown[0])
        raise BadRequest(f"{name!r} is not a parameter", field=name, remedy=f"Use {', '.join(_PARAMETERS)}.")
    until = moment_in(query, "until", now + timedelta(minutes=1))  # clocks may differ
    since = moment_in(query, "since", max(until, _EARLIEST + DEFAULT_SPAN) - DEFAULT_SPAN)
    if since > until:
        raise BadRequest(
            f"since is {since:{_TIME}}, after until, {until:{_TIME}}",
            field="since",
            remedy="Use an earlier since, or a later until.",
        )
    size = page_size_of(query.get("limit"), default=MAX_CHANGES, most=MAX_CHANGES)
    page = change_log.change_store().page(since, until, size, query.get("next"))
    job = query.get("job")
    is_controlled = shared.authorization().controlled_by(call.caller)
    changes = [
        change_view(recorded if is_controlled(recorded.owner) else replace(recorded, tags=()))
        for recorded in page.changes
        if job in (None, recorded.job)
    ]
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
        "run": _run_view(recorded.run, change.lost_work(recorded)) if recorded.run else None,
        "stopped_for": recorded.stopped_for or None,
    }


def _run_view(run: change.Run, lost: UnsavedWork | None) -> Run:
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
        "spot": run.spot,
        "interruptions": run.interruptions,
        "interrupted_seconds": run.interrupted_seconds,
        "failure_class": run.failure_class,
        "beneficiary": run.beneficiary or None,
        "lost_seconds_at_most": lost.at_most if lost else 0.0,
        "lost_is_measured": lost is not None and lost.is_measured,
    }
