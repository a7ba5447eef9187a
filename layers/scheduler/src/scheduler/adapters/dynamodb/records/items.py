"""Converts the other records that cycles and submissions use to items and back, and builds their keys.

While the controls are unreadable, no job starts, because the budget is unknown. Unreadable state that the queue can
relearn, such as the reconciliation state, starts empty. The modules next to this folder convert changes, head, spending
and unmanaged jobs.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256

from scheduler.adapters.dynamodb.records.record_converter import (
    Item,
    converter,
    read_or_placeholder,
    reader_of,
    record,
    report_unreadable,
)
from scheduler.adapters.dynamodb.records.request_bodies import BodyReplaced, S3Requests
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.requests.attempt_request import is_request
from scheduler.core.sections.controls import NEVER_STORED, Controls
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.unreadable import ReplacedBody, UnreadableBody

controls_from, version_from = reader_of(Controls), reader_of(ConfigVersion)
capacity_from, reconciliation_from = reader_of(CapacityMemory), reader_of(ReconciliationState)

#: No body has this digest, so a job without digests cannot start.
NO_DIGEST = ""
#: The partition of the configuration's versions.
CONFIG = "CONFIG"
CONTROLS = "CONTROLS"
#: Requests have separate partitions, because IAM permissions cannot distinguish items in one partition.
REQUEST_PREFIX = "REQUEST#"


def request_key(job_name: str, choice: int = 0) -> Item:
    return {"pk": {"S": REQUEST_PREFIX + job_name}, "sk": {"S": f"{choice}"}}


def readable_body(
    requests: S3Requests, item: Item | None, job_name: str, choice: int, digests: Sequence[str]
) -> dict[str, object]:
    """Returns the request body.

    Raises UnreadableBody if it is missing, broken or replaced: bodies have no placeholder.
    """
    with refusing_unreadable_body(request_key(job_name, choice), job_name):
        return _request_in(requests.unpack(item or {}, digests[choice] if choice < len(digests) else NO_DIGEST))


@contextmanager
def refusing_unreadable_body(key: Item, job_name: str) -> Iterator[None]:
    """Raises UnreadableBody for any error in the context, except BodyUnavailable."""
    try:
        yield
    except (BodyUnavailable, UnreadableBody):
        raise
    except BodyReplaced as error:
        report_unreadable(key, "replaced")
        raise ReplacedBody(job_name) from error
    except Exception as error:  # the conversion of a broken body may raise any exception
        report_unreadable(key, type(error).__name__)
        raise UnreadableBody(job_name) from error


def _request_in(body: dict[str, object]) -> dict[str, object]:
    if not is_request(body):
        raise TypeError("it is JSON, but not a request")
    return body


def token_key(owner_key: str, token: str) -> Item:
    # A digest, because the owner key and the token together may be too long for a key.
    return {"pk": {"S": f"TOKEN#{sha256(json.dumps([owner_key, token]).encode()).hexdigest()}"}, "sk": {"S": "TOKEN"}}


def ledger_key() -> Item:
    return {"pk": {"S": "LEDGER"}, "sk": {"S": "LEDGER"}}


def controls_key() -> Item:
    return {"pk": {"S": CONTROLS}, "sk": {"S": CONTROLS}}


def past_controls_key(version: int) -> Item:
    return {"pk": {"S": CONTROLS}, "sk": {"S": version_number(version)}}


def readable_controls(item: Item) -> Controls:
    return read_or_placeholder(controls_from, item, lambda _: Controls(version=NEVER_STORED))


def reconciliation_key(kind: WorkKind) -> Item:
    return {"pk": {"S": "RECONCILIATION"}, "sk": {"S": kind.upper()}}


def readable_reconciliation_state(item: Item) -> ReconciliationState:
    """Returns the initial state if the item is unreadable: SageMaker's list is then scanned again."""
    return read_or_placeholder(reconciliation_from, item, lambda _: ReconciliationState())


def capacity_key() -> Item:
    return {"pk": {"S": "CAPACITY"}, "sk": {"S": "CAPACITY"}}


def capacity_item(memory: CapacityMemory, *, changed_by: str) -> Item:
    return capacity_key() | record(converter.unstructure(memory), changed_by)


def readable_capacity(item: Item) -> CapacityMemory:
    """Returns an empty memory if the item is unreadable: later attempts detect lasting shortages again."""
    return read_or_placeholder(capacity_from, item, lambda _: CapacityMemory())


def version_number(version: int) -> str:
    # The width is fixed, so that keys sort like versions.
    return f"{version:08d}"


def config_key(version: int) -> Item:
    return {"pk": {"S": CONFIG}, "sk": {"S": version_number(version)}}


def readable_version(item: Item) -> ConfigVersion:
    """Returns a version with empty texts as sections if the item is unreadable: no parser accepts them."""
    return read_or_placeholder(version_from, item, lambda _: ConfigVersion(version=int(item["sk"]["S"]), sections=""))
