"""The records of the history, as DynamoDB items and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb_notation import plain
from scheduler.adapters.record_notation import converter, record
from scheduler.adapters.sort_keys import moment
from scheduler.domain.change import Change

if TYPE_CHECKING:
    from datetime import datetime

    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from scheduler.adapters.dynamodb_notation import Item

CHANGES = "CHANGES"


def change_item(change: Change, expires_at: datetime) -> dict[str, AttributeValueTypeDef]:
    key: dict[str, object] = {"pk": CHANGES, "sk": f"{moment(change.recorded_at)}#{change.version:08d}#{change.job}"}
    expires = {"expires_at": int(expires_at.timestamp())}
    values = key | converter.unstructure(change) | {"version": change.version} | expires
    return record(values, "history")


def change_from(item: Item) -> Change:
    return converter.structure(plain(item), Change)
