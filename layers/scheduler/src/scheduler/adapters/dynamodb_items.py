"""The table's records as DynamoDB items, and back.

What this version does not know and only shows is ignored when read, so that an older function can work beside a newer
one: attributes, and kinds of actions.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from cattrs import Converter

from scheduler.adapters.dynamodb_notation import attribute_values, plain
from scheduler.adapters.sort_keys import line_key, moment, queue_key, submission_key
from scheduler.domain.action import Action, ActionKind
from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.budget import Budget
from scheduler.domain.capacity import CapacityMemory
from scheduler.domain.census import Census
from scheduler.domain.change import Change
from scheduler.domain.controls import Controls
from scheduler.domain.demand import NOTHING, Demand
from scheduler.domain.document import Document, DocumentKind
from scheduler.domain.foreign import Finding, ForeignJob
from scheduler.domain.head import Head
from scheduler.domain.job import ASIDE as STATES_ASIDE
from scheduler.domain.job import Job
from scheduler.domain.pace import Bucket, Call, Pace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from scheduler.adapters.dynamodb_notation import Item

SCHEMA = 1
LIVE = "LIVE"
POOLS = "POOLS"
QUEUE = "QUEUE"
ASIDE = "ASIDE"
JOBS = "JOBS"
JOB_PREFIX = "JOB#"
FOREIGN = "FOREIGN"
FINDINGS = "FINDINGS"
CHANGES = "CHANGES"
HEAD = "HEAD"
_ACTION_KINDS = frozenset(ActionKind)
#: DynamoDB deletes them then: far longer than any training job runs, so each job is told of once.
FINDINGS_KEPT = timedelta(days=180)


def job_item(job: Job, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    listed = {"list_pk": JOBS, "list_sk": submission_key(job)}
    # Without these attributes an item is not in the sparse indexes.
    waiting = {"queue_pk": QUEUE, "queue_sk": queue_key(job), "line_sk": line_key(job)} if job.is_queued else {}
    aside = {"queue_pk": ASIDE, "queue_sk": queue_key(job)} if job.state in STATES_ASIDE else {}
    # Writes are conditional on the version, so it is there from the first one on.
    values = _converter.unstructure(job) | {"version": job.version} | listed | waiting | aside
    return job_key(job.name) | _record(values, changed_by)


def job_from(item: Item) -> Job:
    return _converter.structure(plain(item), Job)


def attempt_item(attempt: Attempt, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return attempt_key(attempt.name) | _record(_converter.unstructure(attempt), changed_by)


def pool_item(attempt: Attempt, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return attempt_item(attempt, changed_by=changed_by) | pool_key(attempt.name)


def attempt_from(item: Item) -> Attempt:
    return _converter.structure(plain(item), Attempt)


def demand_in(item: Item) -> Demand:
    """The demand of an attempt that cannot be read otherwise; nothing if not even that can be."""
    try:
        return _converter.structure(plain(item)["demand"], Demand)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return NOTHING


def request_item(
    job_name: str, choice: int, body: Mapping[str, object], *, changed_by: str
) -> dict[str, AttributeValueTypeDef]:
    return request_key(job_name, choice) | _record(body, changed_by)


def token_item(hand: str, token: str, job_name: str, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return token_key(hand, token) | _record({"job_name": job_name}, changed_by)


def controls_item(controls: Controls, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return controls_key() | _record(_converter.unstructure(controls), changed_by)


def controls_from(item: Item) -> Controls:
    return _converter.structure(plain(item), Controls)


def census_item(census: Census, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return census_key() | _record(_converter.unstructure(census), changed_by)


def census_from(item: Item) -> Census:
    return _converter.structure(plain(item), Census)


def capacity_item(memory: CapacityMemory, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return capacity_key() | _record(_converter.unstructure(memory), changed_by)


def capacity_from(item: Item) -> CapacityMemory:
    return _converter.structure(plain(item), CapacityMemory)


def pace_from(ledger: Item) -> Pace:
    return _converter.structure(plain(ledger).get("pace", {}), dict[Call, Bucket])


def pace_values(pace: Pace) -> dict[str, object]:
    values: dict[str, object] = _converter.unstructure(dict(pace), dict[Call, Bucket])
    return values


def document_item(document: Document, kind: DocumentKind, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return document_key(kind, document.version) | _record(_converter.unstructure(document), changed_by)


def document_from(item: Item) -> Document:
    return _converter.structure(plain(item), Document)


def foreign_from(item: Item) -> ForeignJob:
    return _converter.structure(plain(item), ForeignJob)


def finding_item(finding: Finding, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    key = finding_key(finding)
    expires = {"expires_at": int((finding.created_at + FINDINGS_KEPT).timestamp())}
    return key | _record(_converter.unstructure(finding) | expires, changed_by)


def finding_from(item: Item) -> Finding:
    return _converter.structure(plain(item), Finding)


def change_item(change: Change, expires_at: datetime) -> dict[str, AttributeValueTypeDef]:
    key: dict[str, object] = {"pk": CHANGES, "sk": f"{moment(change.recorded_at)}#{change.version:08d}#{change.job}"}
    expires = {"expires_at": int(expires_at.timestamp())}
    values = key | _converter.unstructure(change) | {"version": change.version} | expires
    return _record(values, "history")


def change_from(item: Item) -> Change:
    return _converter.structure(plain(item), Change)


def head_item(head: Head, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return head_key() | _record(_converter.unstructure(head), changed_by)


def head_from(item: Item) -> Head:
    return _converter.structure(plain(item), Head)


def sighting_values(sighting: Sighting) -> dict[str, object]:
    values: dict[str, object] = _converter.unstructure(sighting)
    return values


def job_key(name: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": JOB_PREFIX + name}, "sk": {"S": "JOB"}}


def request_key(job_name: str, choice: int = 0) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": JOB_PREFIX + job_name}, "sk": {"S": f"REQUEST#{choice}" if choice else "REQUEST"}}


def attempt_key(name: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": LIVE}, "sk": {"S": name}}


def pool_key(attempt_name: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": POOLS}, "sk": {"S": attempt_name}}


def token_key(hand: str, token: str) -> dict[str, AttributeValueTypeDef]:
    # A digest, because the two together may be longer than a key.
    return {"pk": {"S": f"TOKEN#{sha256(json.dumps([hand, token]).encode()).hexdigest()}"}, "sk": {"S": "TOKEN"}}


def ledger_key() -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": "LEDGER"}, "sk": {"S": "LEDGER"}}


def census_key() -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": "CENSUS"}, "sk": {"S": "CENSUS"}}


def capacity_key() -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": "CAPACITY"}, "sk": {"S": "CAPACITY"}}


def controls_key() -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": "CONTROLS"}, "sk": {"S": "CONTROLS"}}


def head_key() -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": HEAD}, "sk": {"S": HEAD}}


def finding_key(finding: Finding) -> dict[str, AttributeValueTypeDef]:
    return attribute_values({"pk": FINDINGS, "sk": f"{moment(finding.created_at)}#{finding.name}"})


def foreign_key(name: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": FOREIGN}, "sk": {"S": name}}


def document_key(kind: DocumentKind, version: int) -> dict[str, AttributeValueTypeDef]:
    # Of fixed width, so that the order of the keys is that of the versions.
    return {"pk": {"S": document_partition(kind)}, "sk": {"S": f"{version:08d}"}}


def document_partition(kind: DocumentKind) -> str:
    return kind.upper()


def _record(values: Mapping[str, object], changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return attribute_values({"schema": SCHEMA, "changed_by": changed_by, **values})


def _make_converter() -> Converter:
    # What is not known has no attribute, so that conditions can ask whether it exists.
    converter = Converter(omit_if_default=True, detailed_validation=False)
    converter.register_unstructure_hook(datetime, moment)
    converter.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    converter.register_unstructure_hook(Demand, Demand.as_dict)
    converter.register_structure_hook(Demand, lambda counts, _: Demand.of({kind: int(n) for kind, n in counts.items()}))
    converter.register_unstructure_hook(Budget, Budget.as_dict)
    converter.register_structure_hook(Budget, lambda counts, _: Budget.of({kind: int(n) for kind, n in counts.items()}))
    converter.register_structure_hook_func(lambda kind: kind == tuple[Action, ...], _known_actions)
    return converter


def _known_actions(noted: list[dict[str, object]], _: object) -> tuple[Action, ...]:
    return tuple(_converter.structure(one, Action) for one in noted if one["kind"] in _ACTION_KINDS)


_converter = _make_converter()
