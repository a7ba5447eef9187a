"""Training jobs that went round the queue: those to look at, and what was found, as items of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb_notation import attribute_values
from scheduler.adapters.dynamodb_table import Table
from scheduler.adapters.foreign_items import (
    FINDINGS,
    FOREIGN,
    finding_item,
    foreign_key,
    readable_finding,
    readable_foreign,
)
from scheduler.adapters.sort_keys import moment

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from scheduler.domain.foreign import Finding, ForeignJob


class DynamoDBForeignStore:
    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = Table(client, table)

    def note(self, job: ForeignJob, *, by: str) -> None:
        values = {":name": job.name, ":seen": moment(job.seen_at), ":by": by}
        self._client.update_item(
            TableName=self._table.name,
            Key=foreign_key(job.name),
            UpdateExpression="SET #name = :name, seen_at = if_not_exists(seen_at, :seen), changed_by = :by",
            ExpressionAttributeNames={"#name": "name"},
            ExpressionAttributeValues=attribute_values(values),
        )

    def unchecked(self) -> tuple[ForeignJob, ...]:
        return tuple(readable_foreign(item) for item in self._table.partition(FOREIGN))

    def record(self, finding: Finding) -> bool:
        absent = "attribute_not_exists(pk)"
        item = finding_item(finding, changed_by="schedule")
        try:
            self._client.put_item(TableName=self._table.name, Item=item, ConditionExpression=absent)
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def settle(self, job: ForeignJob) -> None:
        self._client.delete_item(TableName=self._table.name, Key=foreign_key(job.name))

    def findings(self, limit: int) -> tuple[Finding, ...]:
        found = self._client.query(
            TableName=self._table.name,
            KeyConditionExpression="pk = :findings",
            ExpressionAttributeValues=attribute_values({":findings": FINDINGS}),
            ScanIndexForward=False,
            Limit=limit,
        )
        return tuple(readable_finding(item) for item in found["Items"])
