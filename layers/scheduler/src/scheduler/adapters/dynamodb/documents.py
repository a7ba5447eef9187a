"""Keeps the versions of one kind of document, each in an item of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import attribute_values
from scheduler.adapters.dynamodb.records.items import document_item, document_partition
from scheduler.adapters.dynamodb.records.unreadable_records import readable_document
from scheduler.core.documents.document import Document, DocumentKind
from scheduler.errors.internal import StaleDocument

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoDBDocumentStore:
    def __init__(self, client: DynamoDBClient, table: str, kind: DocumentKind) -> None:
        self._client = client
        self._table = table
        self._kind = kind

    def latest(self) -> Document | None:
        found = self._client.query(
            TableName=self._table,
            KeyConditionExpression="pk = :kind",
            ExpressionAttributeValues=attribute_values({":kind": document_partition(self._kind)}),
            ScanIndexForward=False,
            Limit=1,
            ConsistentRead=True,
        )
        return readable_document(found["Items"][0]) if found["Items"] else None

    def add(self, document: Document, *, by: str) -> None:
        absent = "attribute_not_exists(pk)"
        item = document_item(document, self._kind, changed_by=by)
        try:
            self._client.put_item(TableName=self._table, Item=item, ConditionExpression=absent)
        except self._client.exceptions.ConditionalCheckFailedException as error:
            raise StaleDocument(f"{self._kind} {document.version}") from error
