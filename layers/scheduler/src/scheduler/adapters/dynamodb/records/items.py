"""Converts the records that cycles and submissions read to DynamoDB items, and back, and builds their keys.

The modules beside this folder convert the other kinds of records: changes, head, spending, unmanaged jobs.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from scheduler.adapters.dynamodb.records.attribute_values import Item, plain
from scheduler.adapters.dynamodb.records.record_converter import converter, record
from scheduler.adapters.dynamodb.records.sort_keys import line_key, queue_key, submission_key
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.documents.controls import Controls
from scheduler.core.documents.document import Document, DocumentKind
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import HELD_OR_PARKED as HELD_OR_PARKED_STATES
from scheduler.core.jobs.job import Job
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.warm_pools.warm_pool import WarmPool

LIVE = "LIVE"
POOLS = "POOLS"
QUEUE = "QUEUE"
HELD_OR_PARKED = "HELD_OR_PARKED"
JOBS = "JOBS"
JOB_PREFIX = "JOB#"
#: The attributes of a spec in which the choices of a job differ.
_OF_CHOICES = frozenset({"demand", "max_runtime", "spot", "wait_for_better", "keep_alive", "pool_key"})
#: `changed_by` of what a cycle writes.
SCHEDULE = "schedule"


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


def job_from(item: Item) -> Job:
    """Groups the attributes of the item, which is flat. A choice has those of a spec that choices decide."""
    values: dict[str, Any] = plain(item)
    shared = {name: value for name, value in values.items() if name not in _OF_CHOICES}
    choices = [shared | choice | {"choice": number} for number, choice in enumerate(values.get("choices", ()))]
    chosen = choices[int(values.get("choice", 0))] if choices else {}
    spec = values | {"wait_for_better": chosen.get("wait_for_better", 0)}
    return converter.structure(values | {"spec": spec, "options": values, "status": values, "choices": choices}, Job)


def _job_values(job: Job) -> dict[str, Any]:
    values: dict[str, Any] = converter.unstructure(job)
    values |= values.pop("spec") | values.pop("options") | values.pop("status")
    values.pop("wait_for_better", None)
    if job.choices:
        values["choices"] = [{name: of[name] for name in _OF_CHOICES & of.keys()} for of in values["choices"]]
    return values


def attempt_item(attempt: Attempt, *, changed_by: str) -> Item:
    return attempt_key(attempt.name) | record(converter.unstructure(attempt), changed_by)


def pool_item(pool: WarmPool, *, changed_by: str) -> Item:
    return pool_key(pool.name) | record(converter.unstructure(pool), changed_by)


def attempt_from(item: Item) -> Attempt:
    return converter.structure(plain(item), Attempt)


def pool_from(item: Item) -> WarmPool:
    return converter.structure(plain(item), WarmPool)


def demand_in(item: Item) -> Demand:
    """Returns the demand in an unreadable attempt; nothing if the demand is unreadable too."""
    try:
        return converter.structure(plain(item)["demand"], Demand)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return NOTHING


def request_item(job_name: str, choice: int, body: Mapping[str, object], *, changed_by: str) -> Item:
    return request_key(job_name, choice) | record(body, changed_by)


def token_item(owner_key: str, token: str, job_name: str, *, changed_by: str) -> Item:
    return token_key(owner_key, token) | record({"job_name": job_name}, changed_by)


def controls_item(controls: Controls, *, changed_by: str) -> Item:
    return controls_key() | record(converter.unstructure(controls), changed_by)


def controls_from(item: Item) -> Controls:
    return converter.structure(plain(item), Controls)


def reconciliation_item(reconciliation_state: ReconciliationState, *, changed_by: str) -> Item:
    return reconciliation_key() | record(converter.unstructure(reconciliation_state), changed_by)


def reconciliation_from(item: Item) -> ReconciliationState:
    return converter.structure(plain(item), ReconciliationState)


def capacity_item(memory: CapacityMemory, *, changed_by: str) -> Item:
    return capacity_key() | record(converter.unstructure(memory), changed_by)


def capacity_from(item: Item) -> CapacityMemory:
    return converter.structure(plain(item), CapacityMemory)


def document_item(document: Document, kind: DocumentKind, *, changed_by: str) -> Item:
    return document_key(kind, document.version) | record(converter.unstructure(document), changed_by)


def document_from(item: Item) -> Document:
    return converter.structure(plain(item), Document)


def observation_values(observation: Observation) -> dict[str, object]:
    values: dict[str, object] = converter.unstructure(observation)
    return values


def job_key(name: str) -> Item:
    return {"pk": {"S": JOB_PREFIX + name}, "sk": {"S": "JOB"}}


def request_key(job_name: str, choice: int = 0) -> Item:
    return {"pk": {"S": JOB_PREFIX + job_name}, "sk": {"S": f"REQUEST#{choice}" if choice else "REQUEST"}}


def attempt_key(name: str) -> Item:
    return {"pk": {"S": LIVE}, "sk": {"S": name}}


def pool_key(attempt_name: str) -> Item:
    return {"pk": {"S": POOLS}, "sk": {"S": attempt_name}}


def token_key(owner_key: str, token: str) -> Item:
    # A digest, because owner key and token together may exceed the length of a key.
    return {"pk": {"S": f"TOKEN#{sha256(json.dumps([owner_key, token]).encode()).hexdigest()}"}, "sk": {"S": "TOKEN"}}


def ledger_key() -> Item:
    return {"pk": {"S": "LEDGER"}, "sk": {"S": "LEDGER"}}


def reconciliation_key() -> Item:
    return {"pk": {"S": "RECONCILIATION"}, "sk": {"S": "RECONCILIATION"}}


def capacity_key() -> Item:
    return {"pk": {"S": "CAPACITY"}, "sk": {"S": "CAPACITY"}}


def controls_key() -> Item:
    return {"pk": {"S": "CONTROLS"}, "sk": {"S": "CONTROLS"}}


def document_key(kind: DocumentKind, version: int) -> Item:
    # Of fixed width, so that keys sort like versions.
    return {"pk": {"S": document_partition(kind)}, "sk": {"S": f"{version:08d}"}}


def document_partition(kind: DocumentKind) -> str:
    return kind.upper()
