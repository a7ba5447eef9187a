"""Records the history of all jobs from the table's stream, and sends notices, events and metrics for the changes.

It also subscribes the email addresses listed in a new version of the configuration.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

from api.answers import optional_time_view, time_view
from api.history import change_view
from scheduler.adapters.dynamodb.config_store import is_config_version
from scheduler.adapters.dynamodb.monitoring import is_warning, readable_head, readable_warning
from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX, readable_job
from scheduler.core.history.change import Change, change_kinds_in, change_of
from scheduler.core.history.mail import addresses_in
from scheduler.core.history.metrics import QueueHead, flow_of
from scheduler.core.history.notices import Notice, notice_in
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import Team, team_chosen
from scheduler.core.spending.warning import SpendingWarning
from scheduler.errors.internal import DATA_ERRORS
from scheduler.ports.notifications import EventKind
from scheduler.wiring import change_log, shared

#: Names the writer of an item that no function wrote: an operator repaired the item by hand.
_UNKNOWN_WRITER = "unknown"
#: Names the writer of items that an operator copied from a backup, as docs/admin/repair.md says. They are no changes.
_RESTORED = "restored"


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    logger, all_records = shared.logger(), [record["dynamodb"] for record in event["Records"]]
    records = [record for record in all_records if _writer_of(record["NewImage"]) != _RESTORED]
    configuration = shared.configuration_reader().current()
    teams = configuration.teams
    versions = [version for record in records if _is_of_job(record) and (version := _version_in(record, teams))]
    changes = [change for change, _ in versions]
    # The history is written first, so that a failing topic or event bus cannot lose it. Lambda retries a failed batch
    # as a whole. A change is still recorded only once, but its notice and its event may be sent twice.
    kept = _keep(changes)
    logger.info("history", extra={"records": len(all_records), "kept": kept})
    others = [record["NewImage"] for record in records if not _is_of_job(record)]
    with ExitStack() as steps:  # each step runs, even if another one fails; the last step comes first
        steps.callback(_send_events, changes, teams, [image for image in others if not is_config_version(image)])
        if any(map(is_config_version, others)):
            steps.callback(change_log.mail_subscriptions().ensure, addresses_in(configuration.notices.mail))
        steps.callback(change_log.notice_sender().send, _notices_in(versions))


def _keep(changes: Sequence[Change]) -> int:
    """Adds the changes to the history, and returns the number of those that it did not contain."""
    store, retention = change_log.change_store(), change_log.retention()
    kept = list[Change]()
    try:
        for change in changes:
            if store.append(change, change.recorded_at + retention):
                kept.append(change)
    finally:
        # After an error, the retry does not count these changes again, because the history contains them.
        shared.meter().record_flow(flow_of(kept))
    return len(kept)


def _notices_in(versions: Sequence[tuple[Change, Job]]) -> Iterator[Notice]:
    """Yields the notices. If a job's data prevents its notice, the other notices still follow."""
    for change, job in versions:
        try:
            notice = notice_in(change, job)
        except DATA_ERRORS as error:
            cause = type(error).__name__
            shared.logger().error("lost a notice", extra={"job": job.name, "version": job.version, "cause": cause})
            continue
        if notice is not None:
            yield notice


def _send_events(changes: Sequence[Change], teams: Sequence[Team], other_items: Sequence[dict[str, Any]]) -> None:
    bus, settings = change_log.event_bus(), shared.settings()
    bus.put(EventKind.JOB_CHANGE, [_event_view(change, settings.name_mark) for change in changes])
    heads = [head for image in other_items if not is_warning(image) and (head := readable_head(image))]
    bus.put(EventKind.BLOCKED_HEAD, [_head_view(head, settings.name_mark, teams) for head in heads])
    warnings = [warning for image in other_items if is_warning(image) and (warning := readable_warning(image))]
    bus.put(EventKind.SPENDING_LIMIT, [_warning_view(warning, settings.name_mark) for warning in warnings])


def _is_of_job(record: dict[str, Any]) -> bool:
    return bool(record["NewImage"]["pk"]["S"].startswith(JOB_PREFIX))


def _version_in(record: dict[str, Any], teams: Sequence[Team]) -> tuple[Change, Job] | None:
    image = record["NewImage"]
    job = readable_job(image)
    if not job.is_readable:
        return None  # reading it has already logged the problem; once repaired, the item comes through the stream again
    recorded_at = datetime.fromtimestamp(record["ApproximateCreationDateTime"], UTC)
    return change_of(job, _writer_of(image), recorded_at, teams), job


def _writer_of(image: dict[str, Any]) -> str:
    return str(image.get("changed_by", {}).get("S", _UNKNOWN_WRITER))


def _event_view(change: Change, queue: str) -> dict[str, object]:
    return {"queue": queue, "about": [*change_kinds_in(change)], **change_view(change)}


def _head_view(head: QueueHead, queue: str, teams: Sequence[Team]) -> dict[str, object]:
    team = team_chosen(head.team, head.owner, teams)
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


def _warning_view(warning: SpendingWarning, queue: str) -> dict[str, object]:
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
