"""The table: reads, queries over all pages, conditional writes, and transactions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import uniform
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from scheduler.adapters.dynamodb.records.items import ledger_key
from scheduler.adapters.dynamodb.records.record_converter import Item, attribute_values
from scheduler.adapters.dynamodb.writes import ABSENT, Write, put
from scheduler.errors.internal import LeaseLost, OverBudget, RecordRefused, SchedulerError, StaleJob
from scheduler.errors.refusals import NameTaken, TokenReused

if TYPE_CHECKING:  # the layer contains no stubs
    from mypy_boto3_dynamodb import DynamoDBClient

_BATCH = 100  # the most keys in one BatchGetItem call
# If several conditions fail, one error is raised: the first one in this order, widest effect first.
_GRAVITY = (LeaseLost, NameTaken, TokenReused, StaleJob, OverBudget, RecordRefused)
# Error codes for requests, and for writes in transactions, that DynamoDB refuses because of their content (aws-facts
# 4.25).
_REFUSED_CONTENT = frozenset(
    {"ValidationException", "SerializationException", "ValidationError", "ItemCollectionSizeLimitExceeded"}
)
# Reasons of cancelled transactions that may succeed when they are sent again (aws-facts 4.21).
_TRANSIENT = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
_MAX_ATTEMPTS = 8
_FIRST_DELAY = 0.025  # seconds, as in botocore's own retries for DynamoDB


@dataclass(frozen=True, slots=True)
class Table:
    """Reads and writes the table. Without `consistent`, reads may lag briefly and cost half."""

    client: DynamoDBClient
    name: str
    consistent: bool = True

    def __post_init__(self) -> None:
        self.client.meta.events.register(
            "needs-retry.dynamodb",
            _delay_of_retry,  # type: ignore[arg-type]  # the stubs do not know that handlers of this event return a value
            unique_id="sagequeue-retries",
        )

    def transact(self, *writes: Write) -> None:
        """Carries out all writes or none. If conditions fail, raises the error that comes first in _GRAVITY."""
        actions: list[Any] = [{write.kind: {"TableName": self.name, **write.parameters}} for write in writes]
        try:
            self.client.transact_write_items(TransactItems=actions, ClientRequestToken=_token(actions))
        except self.client.exceptions.TransactionCanceledException as error:
            reasons = error.response["CancellationReasons"]
            refusals = [_refusal(write, reason) for write, reason in zip(writes, reasons, strict=True)]
            known = [refusal for refusal in refusals if refusal is not None]
            if not known:
                raise
            raise min(known, key=lambda refusal: _GRAVITY.index(type(refusal))) from error
        except self.client.exceptions.ClientError as error:
            _raise_refusal_of_content(error)
            raise

    def write(self, write: Write) -> bool:
        """Carries out one write. Returns whether its condition held; otherwise, nothing changes.

        Raises RecordRefused.
        """
        try:
            match write.kind:
                case "Put":
                    self.client.put_item(TableName=self.name, **write.parameters)
                case "Update":
                    self.client.update_item(TableName=self.name, **write.parameters)
                case "Delete":
                    self.client.delete_item(TableName=self.name, **write.parameters)
                case "ConditionCheck":
                    raise ValueError("a check writes nothing: put it into a transaction")
        except self.client.exceptions.ConditionalCheckFailedException:
            return False
        except self.client.exceptions.ClientError as error:
            _raise_refusal_of_content(error)
            raise
        return True

    def add(self, item: Item) -> bool:
        """Writes the item if no item has its key. Returns whether it was written."""
        return self.write(put(item, ABSENT))

    def item(self, key: Item, *, consistent: bool = True) -> Item | None:
        consistent = consistent and self.consistent
        return self.client.get_item(TableName=self.name, Key=key, ConsistentRead=consistent).get("Item")

    def items(self, keys: Sequence[Item], *, consistent: bool = True) -> Iterator[Item]:
        """Yields the existing items with these keys, in any order."""
        for start in range(0, len(keys), _BATCH):
            # The loop ends: DynamoDB answers with at least one item, or with an error that botocore retries.
            batch = {"Keys": keys[start : start + _BATCH], "ConsistentRead": consistent and self.consistent}
            wanted: Mapping[str, Any] = {self.name: batch}
            while wanted:
                answer = self.client.batch_get_item(RequestItems=wanted)
                yield from answer["Responses"][self.name]
                wanted = answer["UnprocessedKeys"]

    def partition(self, pk: str, *, consistent: bool = True) -> Iterator[Item]:
        """Returns all items of a partition."""
        return self._query("pk = :pk", {":pk": pk}, {"ConsistentRead": consistent and self.consistent})

    def last(self, pk: str, limit: int, *, before: str | None = None, consistent: bool = True) -> Sequence[Item]:
        """Returns the last items of a partition, or the last items before a sort key, in descending order."""
        keys = "pk = :pk" if before is None else "pk = :pk AND sk < :before"
        return self.client.query(
            TableName=self.name,
            KeyConditionExpression=keys,
            ExpressionAttributeValues=attribute_values({":pk": pk} | ({} if before is None else {":before": before})),
            ScanIndexForward=False,
            Limit=limit,
            ConsistentRead=consistent and self.consistent,
        )["Items"]

    def index(
        self,
        name: str,
        keys: str,
        values: Mapping[str, object],
        *,
        page_size: int,
        newest_first: bool = False,
        only: str | None = None,
    ) -> Iterator[Item]:
        """Returns the items whose keys meet the condition, in the index's order. The index may lag behind the table.

        `only` names one attribute to return: for many items, the other attributes take most of the time.
        """
        options = {"IndexName": name, "ScanIndexForward": not newest_first, "PaginationConfig": {"PageSize": page_size}}
        return self._query(keys, values, options | ({"ProjectionExpression": only} if only else {}))

    def page(
        self, keys: str, values: Mapping[str, object], *, size: int, index: str | None = None
    ) -> tuple[Sequence[Item], bool]:
        """Returns the first items whose keys meet the condition, and whether there are more. The index may lag."""
        options: dict[str, Any] = {"IndexName": index} if index else {}
        answer = self.client.query(
            TableName=self.name,
            KeyConditionExpression=keys,
            ExpressionAttributeValues=attribute_values(values),
            Limit=size,
            **options,
        )
        return answer["Items"], "LastEvaluatedKey" in answer

    def count(self, index: str, keys: str, values: Mapping[str, object], *, at_most: int) -> int:
        """Counts the items of an index that meet the condition, up to `at_most`. DynamoDB returns only the count."""
        found = 0
        for page in self._pages(
            keys, values, {"IndexName": index, "Select": "COUNT", "PaginationConfig": {"PageSize": at_most}}
        ):
            found += page["Count"]
            if found >= at_most:
                break
        return min(found, at_most)

    def _query(self, keys: str, values: Mapping[str, object], options: Mapping[str, Any]) -> Iterator[Item]:
        return (item for page in self._pages(keys, values, options) for item in page["Items"])

    def _pages(
        self, keys: str, values: Mapping[str, object], options: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        return iter(
            self.client.get_paginator("query").paginate(
                TableName=self.name,
                KeyConditionExpression=keys,
                ExpressionAttributeValues=attribute_values(values),
                **options,
            )
        )


def _token(actions: Sequence[object]) -> str:
    """Returns the same token for the same transaction, so that DynamoDB recognises a retry (aws-facts 4.21, 4.22).

    Each transaction contains a job's version and, in a cycle, the lease's fence, so no two transactions share a token.
    """
    return sha256(repr(actions).encode()).hexdigest()[:36]


def _refusal(write: Write, reason: Mapping[str, Any]) -> SchedulerError | None:
    match reason["Code"]:
        case "ConditionalCheckFailed":
            return write.refusal(reason.get("Item", {})) if callable(write.refusal) else write.refusal
        case code if code in _TRANSIENT:
            return StaleJob(f"the table is busy with the same records: {code}")
        case code if code in _REFUSED_CONTENT and write.parameters.get("Key") != ledger_key():  # shared by all jobs
            return RecordRefused(reason.get("Message") or code)
        case _:
            return None


def _raise_refusal_of_content(error: ClientError) -> None:
    answer = error.response["Error"]
    if answer["Code"] in _REFUSED_CONTENT:
        raise RecordRefused(answer.get("Message", "")) from error


def _delay_of_retry(*, response: tuple[Any, dict[str, Any]] | None, attempts: int, **_: object) -> float | None:
    """Makes botocore retry a request that met another write or a throttle. The random delay doubles with each retry.

    botocore itself does not retry these. If a condition failed as well, the retry would fail again.
    """
    if response is None or attempts >= _MAX_ATTEMPTS:
        return None
    answer = response[1]
    reasons = {reason.get("Code") for reason in answer.get("CancellationReasons", ())} - {"None"}
    if (reasons and reasons <= _TRANSIENT) or answer.get("Error", {}).get("Code") == "TransactionConflictException":
        return uniform(0, _FIRST_DELAY * 2**attempts)  # noqa: S311 (jitter, not a secret)
    return None
