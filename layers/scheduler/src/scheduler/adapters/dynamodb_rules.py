"""The versions of the rules document, each an item of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb_items import RULES, attribute_values, rules_item
from scheduler.adapters.quarantine import readable_rules
from scheduler.refusals import StaleRules

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from scheduler.domain.rules_document import RulesDocument


class DynamoDBRuleStore:
    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table

    def latest(self) -> RulesDocument | None:
        found = self._client.query(
            TableName=self._table,
            KeyConditionExpression="pk = :rules",
            ExpressionAttributeValues=attribute_values({":rules": RULES}),
            ScanIndexForward=False,
            Limit=1,
            ConsistentRead=True,
        )
        return readable_rules(found["Items"][0]) if found["Items"] else None

    def add(self, document: RulesDocument, *, by: str) -> None:
        absent = "attribute_not_exists(pk)"
        item = rules_item(document, changed_by=by)
        try:
            self._client.put_item(TableName=self._table, Item=item, ConditionExpression=absent)
        except self._client.exceptions.ConditionalCheckFailedException as error:
            raise StaleRules(document.version - 1) from error
