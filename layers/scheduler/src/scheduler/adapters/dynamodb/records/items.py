"""Converts the other records that cycles and submissions read to items, and back, and builds their keys.

Unreadable controls launch nothing, because the budget is unknown. State that can be learned again, such as the
reconciliation's, starts afresh. The modules beside this folder convert changes, head, spending and unmanaged jobs.
"""

import json
from hashlib import sha256

from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX
from scheduler.adapters.dynamodb.records.record_converter import (
    UNKNOWN_TIME,
    Item,
    converter,
    read_or_placeholder,
    reader_of,
    record,
    report_unreadable,
)
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.documents.controls import NEVER_STORED, Controls
from scheduler.core.documents.document import Document, DocumentKind
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.requests.attempt_request import is_request
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import UnreadableBody

controls_from, document_from = reader_of(Controls), reader_of(Document)
capacity_from, reconciliation_from = reader_of(CapacityMemory), reader_of(ReconciliationState)


def request_key(job_name: str, choice: int = 0) -> Item:
    return {"pk": {"S": JOB_PREFIX + job_name}, "sk": {"S": f"REQUEST#{choice}" if choice else "REQUEST"}}


def readable_body(requests: S3Requests, record: Item | None, job_name: str, choice: int) -> dict[str, object]:
    """Returns the request body. Raises UnreadableBody if it is missing or broken: a body has no placeholder."""
    key = request_key(job_name, choice)
    try:
        return _request_in(requests.unpack(record or {}))
    except BodyUnavailable:
        raise
    except Exception as error:  # a broken body may make its conversion raise anything
        report_unreadable(key, type(error).__name__)
        raise UnreadableBody(job_name) from error


def _request_in(body: dict[str, object]) -> dict[str, object]:
    if not is_request(body):
        raise TypeError("it is JSON, and no request")
    return body


def token_key(owner_key: str, token: str) -> Item:
    # A digest, because owner key and token together may exceed the length of a key.
    return {"pk": {"S": f"TOKEN#{sha256(json.dumps([owner_key, token]).encode()).hexdigest()}"}, "sk": {"S": "TOKEN"}}


def ledger_key() -> Item:
    return {"pk": {"S": "LEDGER"}, "sk": {"S": "LEDGER"}}


def controls_key() -> Item:
    return {"pk": {"S": "CONTROLS"}, "sk": {"S": "CONTROLS"}}


def readable_controls(item: Item) -> Controls:
    return read_or_placeholder(controls_from, item, lambda _: Controls(version=NEVER_STORED))


def reconciliation_key() -> Item:
    return {"pk": {"S": "RECONCILIATION"}, "sk": {"S": "RECONCILIATION"}}


def readable_reconciliation_state(item: Item) -> ReconciliationState:
    """Returns an initial state if it is unreadable: the next scan of SageMaker's list starts at its beginning."""
    return read_or_placeholder(reconciliation_from, item, lambda _: ReconciliationState())


def capacity_key() -> Item:
    return {"pk": {"S": "CAPACITY"}, "sk": {"S": "CAPACITY"}}


def capacity_item(memory: CapacityMemory, *, changed_by: str) -> Item:
    return capacity_key() | record(converter.unstructure(memory), changed_by)


def readable_capacity(item: Item) -> CapacityMemory:
    """Returns an empty memory if it is unreadable: shortages that persist are noticed again."""
    return read_or_placeholder(capacity_from, item, lambda _: CapacityMemory())


def document_partition(kind: DocumentKind) -> str:
    return kind.upper()


def document_key(kind: DocumentKind, version: int) -> Item:
    # Of fixed width, so that keys sort like versions.
    return {"pk": {"S": document_partition(kind)}, "sk": {"S": f"{version:08d}"}}


def readable_document(item: Item) -> Document:
    """Returns an empty text if the item is unreadable: parsing it then fails."""
    return read_or_placeholder(
        document_from, item, lambda _: Document(int(item["sk"]["S"]), "", "unknown", UNKNOWN_TIME)
    )
