"""Keeps the operators' controls, budget and intake, in one item of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import attribute_values
from scheduler.adapters.dynamodb.records.items import controls_item, controls_key
from scheduler.adapters.dynamodb.records.unreadable_records import readable_controls
from scheduler.core.documents.controls import Controls
from scheduler.errors.internal import StaleControls

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoDBControlStore:
    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table

    def read(self) -> Controls:
        found = self._client.get_item(TableName=self._table, Key=controls_key(), ConsistentRead=True)
        return readable_controls(found["Item"]) if "Item" in found else Controls()

    def write(self, controls: Controls, *, by: str) -> Controls:
        written = replace(controls, version=controls.version + 1)
        first = "attribute_not_exists(pk)"
        unchanged = "#version = :version"
        try:
            self._client.put_item(
                TableName=self._table,
                Item=controls_item(written, changed_by=by),
                ConditionExpression=f"{first} OR {unchanged}",
                ExpressionAttributeNames={"#version": "version"},
                ExpressionAttributeValues=attribute_values({":version": controls.version}),
            )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            raise StaleControls(f"version {controls.version}") from error
        return written
