"""Keeps the head of the queue as it was reported last, in one item of the table.

The function `history` reads each change of the item from the table's stream and sends it as an event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import Item, plain
from scheduler.adapters.dynamodb.records.items import SCHEDULE
from scheduler.adapters.dynamodb.records.record_converter import converter, record
from scheduler.adapters.dynamodb.records.unreadable_records import read_or_placeholder
from scheduler.core.history.queue_head import QueueHead

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

HEAD = "HEAD"


@dataclass(frozen=True, slots=True)
class DynamoDBQueueHeadStore:
    client: DynamoDBClient
    table: str

    def last(self) -> QueueHead | None:
        found = self.client.get_item(TableName=self.table, Key=head_key())
        return readable_head(found["Item"]) if "Item" in found else None

    def save(self, head: QueueHead) -> None:
        self.client.put_item(TableName=self.table, Item=head_item(head, changed_by=SCHEDULE))


def head_item(head: QueueHead, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return head_key() | record(converter.unstructure(head), changed_by)


def head_from(item: Item) -> QueueHead:
    return converter.structure(plain(item), QueueHead)


def head_key() -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": HEAD}, "sk": {"S": HEAD}}


def readable_head(item: Item) -> QueueHead | None:
    """Returns None for an unreadable item: then the head is reported again."""
    return read_or_placeholder(head_from, item, lambda _: None)
