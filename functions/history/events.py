"""Makes the details of the queue's own events (docs/operations.md): job changes, blocked heads, spending warnings."""

from collections.abc import Sequence

from api.answers import optional_time_view, time_view
from api.history import change_view
from scheduler.core.history.change import Change, change_kinds_in
from scheduler.core.history.metrics import QueueHead
from scheduler.core.jobs.team import Team, team_of
from scheduler.core.spending.warning import SpendingWarning


def event_view(change: Change, queue: str) -> dict[str, object]:
    return {"queue": queue, "about": [*change_kinds_in(change)], **change_view(change)}


def head_view(head: QueueHead, queue: str, teams: Sequence[Team]) -> dict[str, object]:
    team = team_of(head.owner, teams)
    return {
        "queue": queue,
        "job": head.job or None,
        "reason": {"code": head.reason, "message": head.message} if head.reason else None,
        "priority": head.priority if head.job else None,
        "instances": head.demand.as_dict(),
        "owner": head.owner or None,
        "team": team.name if team else None,
        "waits_since": optional_time_view(head.waits_since),
    }


def warning_view(warning: SpendingWarning, queue: str) -> dict[str, object]:
    limit = warning.limit
    return {
        "queue": queue,
        "month": warning.month,
        "limit": limit.name,
        "kind": warning.scope.kind,
        "scope": warning.scope.name,
        "state": warning.state,
        "measure": limit.measure,
        "used": float(warning.used),
        "most": float(limit.most),
        "warn_at": float(limit.warn_at),
        "then": limit.then,
        "at": time_view(warning.at),
    }
