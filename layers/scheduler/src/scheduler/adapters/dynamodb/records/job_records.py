"""Converts jobs, attempts and warm pools to items, and back, and builds their keys.

The placeholder of an unreadable job or attempt has the reason `UNREADABLE_RECORD`. It holds the instances and the
checkpoint prefix that the record still shows. It is never written: no record ever has its version. An operator repairs
or deletes the item.
"""

import json
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
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
from scheduler.adapters.dynamodb.records.sort_keys import (
    ended_key,
    line_key,
    moment,
    queue_key,
    successor_key,
    timer_key,
)
from scheduler.core.calendar.times.timers import next_timer
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobStatus
from scheduler.core.jobs.job_state import HELD_OR_PARKED, JobState
from scheduler.core.jobs.principal import UNKNOWN_OWNER
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.sections.controls import NEVER_STORED
from scheduler.core.warm_pools.warm_pool import WarmPool

LIVE_PARTITION = "LIVE"
POOLS_PARTITION = "POOLS"
QUEUE_PARTITION = "QUEUE"
DEFERRED_PARTITION = "DEFERRED"
HELD_OR_PARKED_PARTITION = "HELD_OR_PARKED"
ENDED_PARTITION = "ENDED"
TIMERS_PARTITION = "TIMERS"
JOB_PREFIX = "JOB#"
ENDED_PREFIX = "ENDED#"
#: The attributes of a spec that may differ among a job's choices.
_OF_CHOICES = frozenset(
    {"demand", "max_runtime", "has_own_limit", "spot", "wait_for_better", "keep_alive", "pool_key", "tuning"}
)
#: The attributes that a check for idle GPUs or a hang changes. The role of `idle_alarm` allows no others.
IDLE_CHECK = (
    *("state", "reason", "updated_at", "stop", "actions"),
    *("idle_warned_at", "underused_warned_at", "hang_warned_at", "nan_warned_at"),
)
_OF_NOTICES = frozenset({"takes_notice", "notice"})
#: Twice the longest read of the queue (MAX_CANDIDATES).
_MAX_RECORDS = 4000
#: The most bytes of JSON text in all cached records: in memory, a record takes up to four times as much.
_MAX_CACHED_TEXT = 32 * 2**20
attempt_from, pool_from = reader_of(Attempt), reader_of(WarmPool)
ended_attempt_from = reader_of(EndedAttempt)


def job_key(name: str) -> Item:
    return {"pk": {"S": JOB_PREFIX + name}, "sk": {"S": "JOB"}}


def job_item(job: Job, *, changed_by: str) -> Item:
    # The indexes are sparse: an item without these attributes is in none of them.
    waiting = {"queue_pk": _queue_partition(job), "queue_sk": queue_key(job)} if job.is_queued else {}
    line = {"line_sk": key} if (key := _line_key(job)) else {}
    held_or_parked = (
        {"queue_pk": HELD_OR_PARKED_PARTITION, "queue_sk": queue_key(job)} if job.status.state in HELD_OR_PARKED else {}
    )
    ended = {"ended_pk": ENDED_PARTITION, "ended_sk": ended_key(job)} if job.is_finished else {}
    # Only finished jobs need the index of finished jobs, so one of its partitions can sort the other jobs' timers.
    timer = {} if (due := next_timer(job)) is None else {"ended_pk": TIMERS_PARTITION, "ended_sk": timer_key(job, due)}
    # Later writes check the version, so even the first item has one.
    values = _job_values(job) | {"version": job.version} | waiting | line | held_or_parked | ended | timer
    return job_key(job.name) | record(values, changed_by)


def _queue_partition(job: Job) -> str:
    return DEFERRED_PARTITION if job.is_deferred else QUEUE_PARTITION


def _line_key(job: Job) -> str | None:
    """Returns the job's key in its line; None for a job that no cycle looks for there.

    Jobs that wait for other jobs have lines, too: one line for each job that they wait for.
    """
    if job.follows_others:
        return successor_key(job)
    return line_key(job) if job.is_queued and not job.is_deferred else None


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
    """Converts the flat item to a job. Each choice stores only the attributes in _OF_CHOICES.

    Raises ValueError for a demand that no request has: otherwise, the job could start without a reservation.
    """
    values: dict[str, Any] = plain(item)
    shared = {name: value for name, value in values.items() if name not in _OF_CHOICES}
    choices = [shared | choice | {"choice": number} for number, choice in enumerate(values.get("choices", ()))]
    chosen = choices[int(values.get("choice", 0))] if choices else {}
    spec = values | {"wait_for_better": chosen.get("wait_for_better", 0)}
    job = converter.structure(values | {"spec": spec, "options": values, "status": values, "choices": choices}, Job)
    if any(choice.demand == NOTHING for choice in (job.spec, *job.choices)):
        raise ValueError("it needs no instances")
    return job


def digests_in(item: Item | None) -> list[str]:
    """Returns the digests of a job's bodies, even if the rest of its record is unreadable."""
    return [digest["S"] for digest in (item or {}).get("body_digests", {}).get("L", ())]


def readable_job(item: Item) -> Job:
    return read_or_placeholder(job_from, item, _unreadable_job)


def attempt_key(name: str) -> Item:
    return {"pk": {"S": LIVE_PARTITION}, "sk": {"S": name}}


def attempt_item(attempt: Attempt, *, changed_by: str) -> Item:
    return attempt_key(attempt.name) | record(converter.unstructure(attempt), changed_by)


def ended_attempts_key(job_name: str) -> str:
    """Returns the key of the partition with the attempts that moved out of their job's record, in order."""
    return ENDED_PREFIX + job_name


def ended_attempt_item(job_name: str, ended: EndedAttempt, *, changed_by: str) -> Item:
    # The time distinguishes two ends of one attempt, which may vanish, be found again, and end again.
    key = {"pk": ended_attempts_key(job_name), "sk": f"{ended.number:08d}#{moment(ended.ended_at)}"}
    return record(key | converter.unstructure(ended), changed_by)


def readable_ended_attempt(item: Item) -> EndedAttempt | None:
    return read_or_placeholder(ended_attempt_from, item, lambda _: None)


def readable_attempt(item: Item) -> Attempt:
    return read_or_placeholder(attempt_from, item, _unreadable_attempt)


def observation_values(observation: Observation) -> dict[str, object]:
    values: dict[str, object] = converter.unstructure(observation)
    return values


def notice_values(attempt: Attempt) -> dict[str, object]:
    """Returns the attributes of the attempt's stop notice that are set. Once set, an attribute is never removed."""
    values: dict[str, object] = converter.unstructure(attempt)
    return {name: value for name, value in values.items() if name in _OF_NOTICES}


def save_values(save: Save) -> dict[str, object]:
    values: dict[str, object] = converter.unstructure(save)
    return values


def pool_key(attempt_name: str) -> Item:
    return {"pk": {"S": POOLS_PARTITION}, "sk": {"S": attempt_name}}


def pool_item(pool: WarmPool, *, changed_by: str) -> Item:
    return pool_key(pool.name) | record(converter.unstructure(pool), changed_by)


def readable_pool(item: Item) -> WarmPool:
    return read_or_placeholder(pool_from, item, _unreadable_pool)


class _Known(Protocol):
    @property
    def is_readable(self) -> bool: ...


Record = TypeVar("Record", bound=_Known)


class RecordReader(Generic[Record]):
    """Caches converted records: without the cache, conversion took a fifth of the time of a submission and of a cycle.

    The cache stores digests instead of items, because submitters determine the size of items.
    """

    def __init__(self, readable: Callable[[Item], Record]) -> None:
        self._readable = readable
        self._known: dict[tuple[str, str], tuple[bytes, Record]] = {}
        self._room = _MAX_CACHED_TEXT

    def read(self, item: Item) -> Record:
        key = item["pk"]["S"], item["sk"]["S"]
        text = json.dumps(item, sort_keys=True, default=repr).encode()
        digest = sha256(text).digest()
        known = self._known.get(key)
        if known is not None and known[0] == digest:
            return known[1]
        record = self._readable(item)
        if record.is_readable:  # each read reports an unreadable record
            self._make_room(len(text))
            self._known[key] = digest, record
        return record

    def _make_room(self, size: int) -> None:
        if len(self._known) >= _MAX_RECORDS or self._room < size:
            self._known.clear()
            self._room = _MAX_CACHED_TEXT
        self._room -= size


def missing_job(attempt: Attempt) -> Job:
    """Returns a placeholder for an attempt's missing job."""
    logger.error("unreadable record", extra={"key": f"JOB#{attempt.job_name}", "cause": "it is missing"})
    return _placeholder_job(attempt.job_name, UNKNOWN_TIME)


def _unreadable_job(item: Item) -> Job:
    return _placeholder_job(item["pk"]["S"].removeprefix("JOB#"), _submitted_at(item), _checkpoint_uri(item))


def _placeholder_job(name: str, submitted_at: datetime, checkpoint_uri: str | None = None) -> Job:
    message = f"its record JOB#{name} in the queue's table cannot be read: repair the item, or delete it"
    return Job(
        name=name,
        owner=UNKNOWN_OWNER,
        digest="unknown",
        submitted_at=submitted_at,
        spec=JobSpec(NOTHING, max_runtime=1, checkpoint_uri=checkpoint_uri),
        options=JobOptions(priority=0),
        status=JobStatus(JobState.PARKED, Reason(ReasonCode.UNREADABLE_RECORD, message), submitted_at),
        version=NEVER_STORED,
    )


def _submitted_at(item: Item) -> datetime:
    try:
        return datetime.fromisoformat(item["submitted_at"]["S"])
    except (KeyError, ValueError):
        return UNKNOWN_TIME


def _checkpoint_uri(item: Item) -> str | None:
    """Returns the checkpoint prefix: the job's attempt may be live, so no other job may use the same checkpoints."""
    uri: str | None = item.get("checkpoint_uri", {}).get("S")
    return uri


def _unreadable_attempt(item: Item) -> Attempt:
    return Attempt(item["sk"]["S"], _job_name(item), 0, demand_in(item), _reserved_at(item), created=True)


def _unreadable_pool(item: Item) -> WarmPool:
    return WarmPool(item["sk"]["S"], _job_name(item), demand_in(item), UNKNOWN_TIME, is_readable=False)


def _job_name(attempt_or_pool: Item) -> str:
    name: str = attempt_or_pool.get("job_name", {}).get("S", attempt_or_pool["sk"]["S"])
    return name


def _reserved_at(item: Item) -> datetime:
    """Returns the time of the reservation: an attempt reserved recently may be the one that probes a shortage."""
    try:
        return datetime.fromisoformat(item["reserved_at"]["S"])
    except (KeyError, ValueError):
        return UNKNOWN_TIME


def demand_in(item: Item) -> Demand:
    """Returns the demand in an unreadable attempt; no instances if the demand is unreadable, too."""
    try:
        return converter.structure(plain(item)["demand"], Demand)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return NOTHING
