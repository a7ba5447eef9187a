"""Makes the JSON of changes of jobs (docs/api.md), for GET /history and for EventBridge."""

from collections.abc import Sequence

from api.history import history_answers
from api.http.views import optional_time_view, time_view
from scheduler.core.history.change import Change, Run


def changes_view(changes: Sequence[Change], next_token: str | None) -> history_answers.Changes:
    return {"changes": [change_view(change) for change in changes], "next": next_token}


def change_view(change: Change) -> history_answers.Change:
    return {
        "job": change.job,
        "version": change.version,
        "recorded_at": time_view(change.recorded_at),
        "changed_at": time_view(change.changed_at),
        "written_by": change.written_by,
        "state": change.state,
        "reason": {"code": change.reason, "message": change.message},
        "priority": change.priority,
        "instances": change.demand.as_dict(),
        "owner": change.owner,
        "team": change.team or None,
        "tags": dict(change.tags),
        "submitted_at": time_view(change.submitted_at),
        "max_runtime": change.max_runtime,
        "checkpoint_interval": change.checkpoint_interval,
        "never_preempt": change.never_preempt,
        "has_checkpoints": change.has_checkpoints,
        "done": [{"kind": action.kind, "by": action.by} for action in change.done],
        "run": _run_view(change.run) if change.run else None,
        "stopped_for": change.stopped_for or None,
    }


def _run_view(run: Run) -> history_answers.Run:
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
