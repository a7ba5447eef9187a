"""Keeps the head of the queue as it was reported last, in one item of the table.

The function `history` reads each change of the item from the table's stream and sends it as an event.
"""

from dataclasses import dataclass

from scheduler.adapters.dynamodb.records.record_converter import (
    SCHEDULE,
    Item,
    converter,
    read_or_placeholder,
    reader_of,
    record,
)
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import put
from scheduler.core.history.metrics import QueueHead

head_from = reader_of(QueueHead)


@dataclass(frozen=True, slots=True)
class DynamoDBQueueHeadStore:
    table: Table

    def last(self) -> QueueHead | None:
        item = self.table.item(head_key(), consistent=False)
        return readable_head(item) if item else None

    def save(self, head: QueueHead) -> None:
        self.table.write(put(head_key() | record(converter.unstructure(head), SCHEDULE)))


def head_key() -> Item:
    return {"pk": {"S": "HEAD"}, "sk": {"S": "HEAD"}}


def readable_head(item: Item) -> QueueHead | None:
    """Returns None for an unreadable item: then the head is reported again."""
    return read_or_placeholder(head_from, item, lambda _: None)
