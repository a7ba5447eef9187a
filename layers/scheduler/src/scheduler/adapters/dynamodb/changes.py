"""Keeps the history in the table: one item for each change of a job, in the order of recording, never rewritten.

The function `history` writes it from the table's stream; it expires after the retention time.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import Item, attribute_values, plain
from scheduler.adapters.dynamodb.records.record_converter import converter, record
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.records.unreadable_records import report_unreadable
from scheduler.core.history.change import Change
from scheduler.errors.refusals import UnknownToken
from scheduler.ports.change_store import ChangePage

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

CHANGES = "CHANGES"
_KEY = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00#\d{8}#[a-zA-Z0-9-]{1,63}")


@dataclass(frozen=True, slots=True)
class DynamoDBChangeStore:
    client: DynamoDBClient
    table: str

    def append(self, change: Change, expires_at: datetime) -> bool:
        item = change_item(change, expires_at)
        try:
            self.client.put_item(TableName=self.table, Item=item, ConditionExpression="attribute_not_exists(pk)")
        except self.client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def page(self, since: datetime, until: datetime, limit: int, token: str | None) -> ChangePage:
        first = moment(since) if token is None else _behind(token)
        if first > moment(until):
            return ChangePage((), None)  # the token belongs to another time span; the table rejects such a query
        answer = self.client.query(
            TableName=self.table,
            KeyConditionExpression="pk = :changes AND sk BETWEEN :first AND :until",
            ExpressionAttributeValues=attribute_values({":changes": CHANGES, ":first": first, ":until": moment(until)}),
            Limit=limit,
        )
        items = answer["Items"]
        more = _token(items[-1]) if items and "LastEvaluatedKey" in answer else None
        return ChangePage(tuple(_readable(items)), more)


def _readable(items: Iterable[Item]) -> Iterator[Change]:
    """Skips broken items. Each is a visible gap, because the versions of a job have no gaps."""
    for item in items:
        try:
            yield change_from(item)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            report_unreadable(item, type(error).__name__)


def _token(last: Item) -> str:
    return urlsafe_b64encode(last["sk"]["S"].encode()).decode()


def _behind(token: str) -> str:
    """Returns the first possible key behind the last key of the page before."""
    try:
        key = urlsafe_b64decode(token).decode()
    except ValueError as error:
        raise _unknown() from error
    if not _KEY.fullmatch(key):
        raise _unknown()
    return key + " "


def _unknown() -> UnknownToken:
    return UnknownToken(
        "next is not a token of this history", field="next", remedy="Use what the page before gave, or leave it out."
    )


def change_item(change: Change, expires_at: datetime) -> dict[str, AttributeValueTypeDef]:
    key: dict[str, object] = {"pk": CHANGES, "sk": f"{moment(change.recorded_at)}#{change.version:08d}#{change.job}"}
    expires = {"expires_at": int(expires_at.timestamp())}
    values = key | converter.unstructure(change) | {"version": change.version} | expires
    return record(values, "history")


def change_from(item: Item) -> Change:
    return converter.structure(plain(item), Change)
