"""Replaces unreadable records by placeholders, so that one broken record does not hold up other jobs.

A record is unreadable if it is broken, or of a newer version. The placeholder of a job or an attempt has the reason
`UNREADABLE_RECORD`, and holds the budget and the checkpoint prefix that the record still shows. It is never written: no
record ever has its version. Unreadable controls launch nothing, because the budget is unknown. An operator repairs or
deletes the item. State that can be learned again, such as the reconciliation's, starts afresh. A metric filter in
template.yaml counts every log line `unreadable record`.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from scheduler.adapters.dynamodb.records.attribute_values import Item
from scheduler.adapters.dynamodb.records.items import (
    attempt_from,
    capacity_from,
    controls_from,
    demand_in,
    document_from,
    job_from,
    pool_from,
    reconciliation_from,
    request_key,
)
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.documents.controls import NEVER_STORED, Controls
from scheduler.core.documents.document import Document
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobState, JobStatus
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.requests.attempt_request import is_request
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import UnreadableBody

Record = TypeVar("Record")
logger = logging.getLogger(__name__)

UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)


def read_or_placeholder(read: Callable[[Item], Record], item: Item, instead: Callable[[Item], Record]) -> Record:
    try:
        return read(item)
    except Exception as error:  # noqa: BLE001 - a broken record may make the converter raise anything
        # Its key only: its content may be secret.
        report_unreadable(item, type(error).__name__)
        return instead(item)


def readable_job(item: Item) -> Job:
    return read_or_placeholder(job_from, item, _unreadable_job)


def readable_attempt(item: Item) -> Attempt:
    return read_or_placeholder(attempt_from, item, _unreadable_attempt)


def readable_pool(item: Item) -> WarmPool:
    return read_or_placeholder(pool_from, item, _unreadable_pool)


def readable_controls(item: Item) -> Controls:
    return read_or_placeholder(controls_from, item, lambda _: Controls(version=NEVER_STORED))


def readable_capacity(item: Item) -> CapacityMemory:
    """Returns an empty memory if it is unreadable: shortages that persist are noticed again."""
    return read_or_placeholder(capacity_from, item, lambda _: CapacityMemory())


def readable_reconciliation_state(item: Item) -> ReconciliationState:
    """Returns an initial state if it is unreadable: the next scan of SageMaker's list starts at its beginning."""
    return read_or_placeholder(reconciliation_from, item, lambda _: ReconciliationState())


def readable_document(item: Item) -> Document:
    """Returns an empty text if the item is unreadable: parsing it then fails."""
    return read_or_placeholder(document_from, item, _no_document)


def _no_document(broken: Item) -> Document:
    return Document(int(broken["sk"]["S"]), "", "unknown", UNKNOWN_TIME)


def readable_body(requests: S3Requests, record: Item | None, job_name: str, choice: int) -> dict[str, object]:
    """Returns the request body. Raises UnreadableBody if it is missing or broken: a body has no placeholder."""
    key: Item = request_key(job_name, choice)
    try:
        return _request_in(requests.unpack(record or {}))
    except BodyUnavailable:
        raise
    except Exception as error:  # as above
        report_unreadable(key, type(error).__name__)
        raise UnreadableBody(job_name) from error


def _request_in(body: dict[str, object]) -> dict[str, object]:
    if not is_request(body):
        raise TypeError("it is JSON, and no request")
    return body


def missing_job(attempt: Attempt) -> Job:
    """Returns a placeholder for the missing job of an attempt."""
    logger.error("unreadable record", extra={"key": f"JOB#{attempt.job_name}", "cause": "it is missing"})
    return _placeholder_job(attempt.job_name, UNKNOWN_TIME)


def report_unreadable(item: Item, cause: str) -> None:
    """Logs the record, which fires BrokenRecordsAlarm."""
    logger.error("unreadable record", extra={"key": f"{item['pk']['S']} {item['sk']['S']}", "cause": cause})


def _unreadable_job(item: Item) -> Job:
    return _placeholder_job(item["pk"]["S"].removeprefix("JOB#"), _submitted_at(item), _checkpoint_uri(item))


def _placeholder_job(name: str, submitted_at: datetime, checkpoint_uri: str | None = None) -> Job:
    message = f"its record JOB#{name} in the queue's table cannot be read: repair the item, or delete it"
    return Job(
        name=name,
        owner="unknown",
        digest="unknown",
        submitted_at=submitted_at,
        spec=JobSpec(NOTHING, max_runtime=1, checkpoint_uri=checkpoint_uri),
        options=JobOptions(priority=0),
        status=JobStatus(JobState.PARKED, Reason(ReasonCode.UNREADABLE_RECORD, message), submitted_at),
        version=NEVER_STORED,
    )


def _unreadable_attempt(item: Item) -> Attempt:
    return Attempt(item["sk"]["S"], _job_name(item), 0, demand_in(item), UNKNOWN_TIME, created=True)


def _unreadable_pool(item: Item) -> WarmPool:
    return WarmPool(item["sk"]["S"], _job_name(item), demand_in(item), UNKNOWN_TIME, is_readable=False)


def _job_name(attempt_or_pool: Item) -> str:
    name: str = attempt_or_pool.get("job_name", {}).get("S", attempt_or_pool["sk"]["S"])
    return name


def _submitted_at(item: Item) -> datetime:
    """Reads the time from the key of the list, so that pages of a list continue behind the job."""
    try:
        return datetime.fromisoformat(item["list_sk"]["S"].partition("#")[0])
    except (KeyError, ValueError):
        return UNKNOWN_TIME


def _checkpoint_uri(item: Item) -> str | None:
    """Reads the checkpoint prefix: the job's attempt may be live, so no other job may use the same checkpoints."""
    uri: str | None = item.get("checkpoint_uri", {}).get("S")
    return uri
