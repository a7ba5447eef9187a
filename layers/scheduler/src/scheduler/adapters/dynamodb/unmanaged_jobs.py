"""Keeps unmanaged training jobs in the table: those that a cycle should check, and the findings about them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import Item, attribute_values, plain
from scheduler.adapters.dynamodb.records.record_converter import converter, record
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.records.unreadable_records import UNKNOWN_TIME, read_or_placeholder
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

UNMANAGED = "UNMANAGED"
FINDINGS = "FINDINGS"
#: When DynamoDB deletes findings: far longer than any training job runs, so each job is reported once.
FINDINGS_RETENTION = timedelta(days=180)


class DynamoDBUnmanagedJobStore:
    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = Table(client, table)

    def add_unchecked(self, job: UnmanagedJob, *, by: str) -> None:
        values = {":name": job.name, ":seen": moment(job.seen_at), ":by": by}
        self._client.update_item(
            TableName=self._table.name,
            Key=unmanaged_job_key(job.name),
            UpdateExpression="SET #name = :name, seen_at = if_not_exists(seen_at, :seen), changed_by = :by",
            ExpressionAttributeNames={"#name": "name"},
            ExpressionAttributeValues=attribute_values(values),
        )

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        return tuple(readable_unmanaged_job(item) for item in self._table.partition(UNMANAGED))

    def record_finding(self, finding: Finding) -> bool:
        absent = "attribute_not_exists(pk)"
        item = finding_item(finding, changed_by="schedule")
        try:
            self._client.put_item(TableName=self._table.name, Item=item, ConditionExpression=absent)
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def mark_checked(self, job: UnmanagedJob) -> None:
        self._client.delete_item(TableName=self._table.name, Key=unmanaged_job_key(job.name))

    def findings(self, limit: int) -> tuple[Finding, ...]:
        found = self._client.query(
            TableName=self._table.name,
            KeyConditionExpression="pk = :findings",
            ExpressionAttributeValues=attribute_values({":findings": FINDINGS}),
            ScanIndexForward=False,
            Limit=limit,
        )
        return tuple(readable_finding(item) for item in found["Items"])


def unmanaged_job_from(item: Item) -> UnmanagedJob:
    return converter.structure(plain(item), UnmanagedJob)


def unmanaged_job_key(name: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": UNMANAGED}, "sk": {"S": name}}


def finding_item(finding: Finding, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    key = finding_key(finding)
    expires = {"expires_at": int((finding.created_at + FINDINGS_RETENTION).timestamp())}
    return key | record(converter.unstructure(finding) | expires, changed_by)


def finding_from(item: Item) -> Finding:
    return converter.structure(plain(item), Finding)


def finding_key(finding: Finding) -> dict[str, AttributeValueTypeDef]:
    return attribute_values({"pk": FINDINGS, "sk": f"{moment(finding.created_at)}#{finding.name}"})


def readable_finding(item: Item) -> Finding:
    """Returns a finding with only the job's name if the item is unreadable."""
    return read_or_placeholder(
        finding_from, item, lambda broken: Finding(_name_in(broken), UNKNOWN_TIME, stopped=False, violations=())
    )


def _name_in(finding: Item) -> str:
    return finding["sk"]["S"].partition("#")[2]


def readable_unmanaged_job(item: Item) -> UnmanagedJob:
    return read_or_placeholder(unmanaged_job_from, item, lambda broken: UnmanagedJob(broken["sk"]["S"], UNKNOWN_TIME))
