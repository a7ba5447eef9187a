"""The head of the queue as it was told last: one item of the table. The reader of the stream tells of each change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from scheduler.adapters.dynamodb_writes import SCHEDULE
from scheduler.adapters.head_items import head_item, head_key, readable_head

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from scheduler.domain.head import Head


@frozen
class DynamoDBHeadStore:
    client: DynamoDBClient
    table: str

    def last(self) -> Head | None:
        found = self.client.get_item(TableName=self.table, Key=head_key())
        return readable_head(found["Item"]) if "Item" in found else None

    def keep(self, head: Head) -> None:
        self.client.put_item(TableName=self.table, Item=head_item(head, changed_by=SCHEDULE))
