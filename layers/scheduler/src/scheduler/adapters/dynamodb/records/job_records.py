"""Converts jobs, attempts and warm pools to items, and back, and builds their keys.

The placeholder of an unreadable job or attempt has the reason `UNREADABLE_RECORD`, and holds the budget and the
checkpoint prefix that the record still shows. It is never written: no record ever has its version. An operator repairs
or deletes the item.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from scheduler.adapters.dynamodb.records.record_converter import (
    UNKNOWN_TIME,
    Item,
    converter,
    logger,
    plain,
    read_or_placeholder,
    reader_of,
    record,
)
from scheduler.adapters.dynamodb.records.sort_keys import line_key, queue_key, submission_key
from scheduler.core.documents.controls import NEVER_STORED
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import HELD_OR_PARKED as HELD_OR_PARKED_STATES
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobState, JobStatus
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.warm_pools.warm_pool import WarmPool

LIVE = "LIVE"
POOLS = "POOLS"
QUEUE = "QUEUE"
HELD_OR_PARKED = "HELD_OR_PARKED"
JOBS = "JOBS"
JOB_PREFIX = "JOB#"
#: The attributes of a spec in which the choices of a job differ.
_OF_CHOICES = frozenset({"demand", "max_runtime", "spot", "wait_for_better", "keep_alive", "pool_key"})
#: Twice the longest read of the queue (MAX_CANDIDATES).
_MAX_RECORDS = 4000
attempt_from, pool_from = reader_of(Attempt), reader_of(WarmPool)


def job_key(name: str) -> Item:
    return {"pk": {"S": JOB_PREFIX + name}, "sk": {"S": "JOB"}}


def job_item(job: Job, *, changed_by: str) -> Item:
    listed = {"list_pk": JOBS, "list_sk": submission_key(job)}
    # An item without these attributes is not in the sparse indexes.
    waiting = {"queue_pk": QUEUE, "queue_sk": queue_key(job), "line_sk": line_key(job)} if job.is_queued else {}
    held_or_parked = (
        {"queue_pk": HELD_OR_PARKED, "queue_sk": queue_key(job)} if job.status.state in HELD_OR_PARKED_STATES else {}
    )
    # Writes are conditional on the version, so the first item has it too.
    values = _job_values(job) | {"version": job.version} | listed | waiting | held_or_parked
    return job_key(job.name) | record(values, changed_by)


def _job_values(job: Job) -> dict[str, Any]:
    values: dict[str, Any] = converter.unstructure(job)
    values |= values.pop("spec") | values.pop("options") | values.pop("status")
    values.pop("wait_for_better", None)
    if job.choices:
        values["choices"] = [
            {name: value for name, value in of.items() if name in _OF_CHOICES} for of in values["choices"]
        ]
    return values


def job_from(item: Item) -> Job:
    """Groups the attributes of the item, which is flat. A choice has those of a spec that choices decide."""
    values: dict[str, Any] = plain(item)
    shared = {name: value for name, value in values.items() if name not in _OF_CHOICES}
    choices = [shared | choice | {"choice": number} for number, choice in enumerate(values.get("choices", ()))]
    chosen = choices[int(values.get("choice", 0))] if choices else {}
    spec = values | {"wait_for_better": chosen.get("wait_for_better", 0)}
    return converter.structure(values | {"spec": spec, "options": values, "status": values, "choices": choices}, Job)


def readable_job(item: Item) -> Job:
    return read_or_placeholder(job_from, item, _unreadable_job)


def attempt_key(name: str) -> Item:
    return {"pk": {"S": LIVE}, "sk": {"S": name}}


def attempt_item(attempt: Attempt, *, changed_by: str) -> Item:
    return attempt_key(attempt.name) | record(converter.unstructure(attempt), changed_by)


def readable_attempt(item: Item) -> Attempt:
    return read_or_placeholder(attempt_from, item, _unreadable_attempt)


def observation_values(observation: Observation) -> dict[str, object]:
    values: dict[str, object] = converter.unstructure(observation)
    return values


def pool_key(attempt_name: str) -> Item:
    return {"pk": {"S": POOLS}, "sk": {"S": attempt_name}}


def pool_item(pool: WarmPool, *, changed_by: str) -> Item:
    return pool_key(pool.name) | record(converter.unstructure(pool), changed_by)


def readable_pool(item: Item) -> WarmPool:
    return read_or_placeholder(pool_from, item, _unreadable_pool)


class _Known(Protocol):
    @property
    def is_readable(self) -> bool: ...


Record = TypeVar("Record", bound=_Known)


class RecordReader(Generic[Record]):
    """Caches converted records: converting unchanged ones took a fifth of a submission's time, and of a cycle's."""

    def __init__(self, readable: Callable[[Item], Record]) -> None:
        self._readable = readable
        self._known: dict[tuple[str, str], tuple[Item, Record]] = {}

    def read(self, item: Item) -> Record:
        key = item["pk"]["S"], item["sk"]["S"]
        known = self._known.get(key)
        if known is not None and known[0] == item:
            return known[1]
        record = self._readable(item)
        self._keep(key, item, record)
        return record

    def _keep(self, key: tuple[str, str], item: Item, record: Record) -> None:
        """Caches readable records only: an unreadable one is reported at each read."""
        if record.is_readable:
            if len(self._known) >= _MAX_RECORDS:
                self._known.clear()
            self._known[key] = item, record


def missing_job(attempt: Attempt) -> Job:
    """Returns a placeholder for the missing job of an attempt."""
    logger.error("unreadable record", extra={"key": f"JOB#{attempt.job_name}", "cause": "it is missing"})
    return _placeholder_job(attempt.job_name, UNKNOWN_TIME)


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


def _unreadable_attempt(item: Item) -> Attempt:
    return Attempt(item["sk"]["S"], _job_name(item), 0, demand_in(item), UNKNOWN_TIME, created=True)


def _unreadable_pool(item: Item) -> WarmPool:
    return WarmPool(item["sk"]["S"], _job_name(item), demand_in(item), UNKNOWN_TIME, is_readable=False)


def _job_name(attempt_or_pool: Item) -> str:
    name: str = attempt_or_pool.get("job_name", {}).get("S", attempt_or_pool["sk"]["S"])
    return name


def demand_in(item: Item) -> Demand:
    """Returns the demand in an unreadable attempt; nothing if the demand is unreadable too."""
    try:
        return converter.structure(plain(item)["demand"], Demand)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return NOTHING
