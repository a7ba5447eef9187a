"""The simulation's table with a second one beside it on DynamoDB Local, which says what each call would be billed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from simulation.dynamodb import TableClient

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_boto3_dynamodb import DynamoDBClient

_READS = frozenset({"get_item", "query", "batch_get_item"})
_WRITES = frozenset({"put_item", "update_item", "delete_item", "transact_write_items"})
_KEYS = frozenset({"pk", "sk", "queue_pk", "queue_sk", "line_sk", "list_pk", "list_sk"})


@dataclass
class Metered:
    """Each call takes effect on both at the same moment, so that they stay alike."""

    inner: TableClient
    local: DynamoDBClient
    units: Counter[str] = field(default_factory=Counter)  # "read" and "write"

    def __getattr__(self, name: str) -> Any:
        if name in _READS | _WRITES:
            return partial(self._call, name)
        return getattr(self.inner, name)

    def get_paginator(self, _operation: str) -> Any:
        itself: Any = self  # its pages are made of our calls
        return SimpleNamespace(paginate=partial(TableClient._pages, itself))

    def _call(self, name: str, **request: Any) -> Any:
        def gate(operation: str, keys: Any, perform: Callable[[], Any]) -> Any:
            def both() -> Any:
                self._meter(name, request)
                return perform()

            return self.inner.gate(operation, keys, both)

        return getattr(TableClient(self.inner.table, gate), name)(**request)

    def _meter(self, name: str, request: dict[str, Any]) -> None:
        kind = "read" if name in _READS else "write"
        try:
            answer = getattr(self.local, name)(**self._as_billed(request), ReturnConsumedCapacity="TOTAL")
        except ClientError:
            # A refused write is billed too, and its bill not told: at least one for each item, two in a transaction.
            self.units[kind] += 2 * len(request.get("TransactItems", ())) or 1
            return
        consumed = answer["ConsumedCapacity"]
        for one in consumed if isinstance(consumed, list) else [consumed]:
            self.units[kind] += one["CapacityUnits"]

    def _as_billed(self, request: dict[str, Any]) -> dict[str, Any]:
        """For the other table, which wants the keys alone to go on behind."""
        if "ExclusiveStartKey" in request:
            start = {key: value for key, value in request["ExclusiveStartKey"].items() if key in _keys_of(request)}
            return {**request, "ExclusiveStartKey": start}
        return request


def _keys_of(request: dict[str, Any]) -> frozenset[str]:
    names = {"queue": ("queue_pk", "queue_sk"), "lines": ("queue_pk", "line_sk"), "submissions": ("list_pk", "list_sk")}
    return frozenset({"pk", "sk", *names.get(request.get("IndexName", ""), ())})
