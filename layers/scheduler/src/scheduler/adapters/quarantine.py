"""Records that cannot be read: broken, or of a version to come. Each is set aside by itself and holds up nobody else.

What stands in for such a record says so (`UNREADABLE_RECORD`), holds what budget it can be seen to hold, and is never
written: its version is none that a record ever has. Somebody repairs or deletes the item; the log line is counted by a
metric filter in template.yaml.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb_items import attempt_from, demand_in, job_from
from scheduler.domain.attempt import Attempt
from scheduler.domain.demand import NOTHING
from scheduler.domain.job import Job, JobState
from scheduler.domain.reason import Reason, ReasonCode

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from scheduler.adapters.dynamodb_items import Item

    Record = TypeVar("Record", Job, Attempt)

logger = logging.getLogger(__name__)

_NEVER_STORED = -1
_UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)


def readable_job(item: Item) -> Job:
    return _read(job_from, item, _job_set_aside)


def readable_attempt(item: Item) -> Attempt:
    return _read(attempt_from, item, _attempt_set_aside)


def missing_job(attempt: Attempt) -> Job:
    """For an attempt whose job has no record."""
    logger.error("unreadable record", extra={"key": f"JOB#{attempt.job_name}", "cause": "it is missing"})
    return _unreadable(attempt.job_name, _UNKNOWN_TIME)


def _read(read: Callable[[Item], Record], item: Item, instead: Callable[[Item], Record]) -> Record:
    try:
        return read(item)
    except Exception as error:  # noqa: BLE001 - whatever a broken record makes of the converter
        # Its key only: what is in it may be anything.
        key = f"{item['pk']['S']} {item['sk']['S']}"
        logger.error("unreadable record", extra={"key": key, "cause": type(error).__name__})  # noqa: TRY400 - see above
        return instead(item)


def _job_set_aside(item: Item) -> Job:
    return _unreadable(item["pk"]["S"].removeprefix("JOB#"), _submitted_at(item))


def _unreadable(name: str, submitted_at: datetime) -> Job:
    message = f"its record JOB#{name} in the queue's table cannot be read: repair the item, or delete it"
    return Job(
        name=name,
        state=JobState.PARKED,
        priority=0,
        demand=NOTHING,
        submitted_at=submitted_at,
        updated_at=submitted_at,
        owner="unknown",
        digest="unknown",
        reason=Reason(ReasonCode.UNREADABLE_RECORD, message),
        max_runtime=1,
        version=_NEVER_STORED,
    )


def _attempt_set_aside(item: Item) -> Attempt:
    name = item["sk"]["S"]
    job_name = item.get("job_name", {}).get("S", name)
    return Attempt(name, job_name, 0, demand_in(item), _UNKNOWN_TIME, created=True)


def _submitted_at(item: Item) -> datetime:
    """From the key of the list, so that pages of a list go on behind it."""
    try:
        return datetime.fromisoformat(item["list_sk"]["S"].partition("#")[0])
    except (KeyError, ValueError):
        return _UNKNOWN_TIME
