"""The table: reads, queries over all pages, and transactions of conditional writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from scheduler.adapters.dynamodb.conflicts import retry_conflicts
from scheduler.adapters.dynamodb.records.attribute_values import Item, attribute_values
from scheduler.errors.internal import LeaseLost, OverBudget, SchedulerError, StaleJob
from scheduler.errors.refusals import NameTaken, TokenReused

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import KeysAndAttributesUnionTypeDef, TransactWriteItemTypeDef
# Makes the error from the item that failed a condition; empty if there is no item.
Refusal = Callable[[Item], SchedulerError]

_BATCH = 100  # the most keys of one BatchGetItem
# The order in which one error is chosen if several conditions failed: the one with the widest effect first.
_GRAVITY = (LeaseLost, NameTaken, TokenReused, StaleJob, OverBudget)


@dataclass(frozen=True, slots=True)
class Write:
    """One conditional action of a transaction, and the error to raise when its condition fails."""

    action: TransactWriteItemTypeDef
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Table:
    """Reads and writes of the table. Without `consistent`, reads may lag a moment and cost half."""

    client: DynamoDBClient
    name: str
    consistent: bool = True

    def __post_init__(self) -> None:
        retry_conflicts(self.client)

    def transact(self, *writes: Write) -> None:
        """Carries out all writes or none. Raises the gravest refusal of the writes whose conditions failed."""
        actions = [write.action for write in writes]
        try:
            self.client.transact_write_items(TransactItems=actions, ClientRequestToken=_token(actions))
        except self.client.exceptions.TransactionCanceledException as error:
            reasons = error.response["CancellationReasons"]
            refusals = [_refusal(write, reason) for write, reason in zip(writes, reasons, strict=True)]
            known = [refusal for refusal in refusals if refusal is not None]
            if not known:
                raise
            raise min(known, key=lambda refusal: _GRAVITY.index(type(refusal))) from error

    def item(self, key: Item) -> Item | None:
        return self.client.get_item(TableName=self.name, Key=key, ConsistentRead=self.consistent).get("Item")

    def items(self, keys: Sequence[Item], *, consistent: bool = True) -> Iterator[Item]:
        """Returns the items that exist, in any order."""
        for start in range(0, len(keys), _BATCH):
            yield from self._batch(keys[start : start + _BATCH], consistent=consistent and self.consistent)

    def partition(self, pk: str, *, consistent: bool = True) -> Iterator[Item]:
        """Returns all items of a partition."""
        return self._query("pk = :pk", {":pk": pk}, {"ConsistentRead": consistent and self.consistent})

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
        """Returns the items of an index whose keys meet the condition, in its order. It may lag behind the table.

        `only` names one attribute to return: for many items, the other attributes take most of the time.
        """
        options = {"IndexName": name, "ScanIndexForward": not newest_first, "PaginationConfig": {"PageSize": page_size}}
        return self._query(keys, values, options | ({"ProjectionExpression": only} if only else {}))

    def page(self, index: str, keys: str, values: Mapping[str, object], *, size: int) -> tuple[Sequence[Item], bool]:
        """Returns the first items of an index whose keys meet the condition, and whether there are more."""
        answer = self.client.query(
            TableName=self.name,
            IndexName=index,
            KeyConditionExpression=keys,
            ExpressionAttributeValues=attribute_values(values),
            Limit=size,
        )
        return answer["Items"], "LastEvaluatedKey" in answer

    def count(self, index: str, keys: str, values: Mapping[str, object], *, at_most: int) -> int:
        """Counts the items of an index that meet the condition, up to `at_most`. DynamoDB counts and sends no items."""
        pages = self.client.get_paginator("query").paginate(
            TableName=self.name,
            IndexName=index,
            KeyConditionExpression=keys,
            ExpressionAttributeValues=attribute_values(values),
            Select="COUNT",
            PaginationConfig={"PageSize": at_most},
        )
        found = 0
        for page in pages:
            found += page["Count"]
            if found >= at_most:
                break
        return min(found, at_most)

    def _query(self, keys: str, values: Mapping[str, object], options: Mapping[str, Any]) -> Iterator[Item]:
        pages = self.client.get_paginator("query").paginate(
            TableName=self.name,
            KeyConditionExpression=keys,
            ExpressionAttributeValues=attribute_values(values),
            **options,
        )
        for page in pages:
            yield from page["Items"]

    def _batch(self, keys: Sequence[Item], *, consistent: bool) -> Iterator[Item]:
        # The loop ends: DynamoDB answers with at least one item, or with an error that botocore retries after a delay.
        wanted: Mapping[str, KeysAndAttributesUnionTypeDef] = {self.name: {"Keys": keys, "ConsistentRead": consistent}}
        while wanted:
            answer = self.client.batch_get_item(RequestItems=wanted)
            yield from answer["Responses"][self.name]
            wanted = answer["UnprocessedKeys"]


def _token(actions: Sequence[TransactWriteItemTypeDef]) -> str:
    """Returns the same token for the same transaction, so that DynamoDB recognises a retry (aws-facts 4.21, 4.22).

    Each transaction holds a job's version and, in a cycle, the lease's fence, so different transactions differ.
    """
    return sha256(repr(actions).encode()).hexdigest()[:36]


def _refusal(write: Write, reason: Mapping[str, Any]) -> SchedulerError | None:
    match reason["Code"]:
        case "ConditionalCheckFailed":
            return write.refusal(reason.get("Item", {}))
        case "TransactionConflict":
            return StaleJob("other writers keep changing the same records")
        case _:
            return None
