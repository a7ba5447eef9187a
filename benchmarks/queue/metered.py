"""Counts the units that DynamoDB would bill for each call to the simulation's table."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from benchmarks.queue.bill import index_units, indexes, read_units, write_units
from support.dynamodb.client import TableClient

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.queue.bill import Item
    from support.dynamodb.table import Key

_READS = frozenset({"get_item", "query", "batch_get_item"})
_WRITES = frozenset({"put_item", "update_item", "delete_item", "transact_write_items"})


@dataclass
class Metered:
    inner: TableClient
    read: float = 0
    written: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # units by kind of record

    def __getattr__(self, name: str) -> Any:
        if name in _READS | _WRITES:
            return partial(self._call, name)
        return getattr(self.inner, name)

    def get_paginator(self, _operation: str) -> Any:
        itself: Any = self  # paginators use the metered calls
        return SimpleNamespace(paginate=partial(TableClient._pages, itself))

    def _call(self, name: str, **request: Any) -> Any:
        def gate(operation: str, keys: tuple[Key, ...], perform: Callable[[], Any]) -> Any:
            metered = partial(self._written, name, keys) if name in _WRITES else partial(self._read, name, request)
            return self.inner.gate(operation, keys, lambda: metered(perform))

        return getattr(TableClient(self.inner.table, gate), name)(**request)

    def _written(self, name: str, keys: tuple[Key, ...], perform: Callable[[], Any]) -> Any:
        items, in_transaction = self.inner.table.items, name == "transact_write_items"
        before = {key: items.get(key) for key in keys}
        try:
            return perform()
        except ClientError:
            before = {key: items.get(key) for key in keys}  # DynamoDB bills a refused write as one that changes nothing
            raise
        finally:
            for key, old in before.items():
                of_indexes = index_units(old, items.get(key))
                self.written["indexes"] += of_indexes
                self.written[_record(key)] += (
                    write_units(old, items.get(key), in_transaction=in_transaction) - of_indexes
                )

    def _read(self, name: str, request: dict[str, Any], perform: Callable[[], Any]) -> Any:
        answer = perform()
        consistent = request.get("ConsistentRead", False)
        if name == "query":
            read = answer["Items"] if "Items" in answer else self._counted(request)
            if index := request.get("IndexName"):
                read = [indexes()[index].entry(item) or {} for item in read]
            self.read += read_units(read, consistent=consistent)
        elif name == "get_item":
            self.read += read_units([answer.get("Item", {})], consistent=consistent)
        else:
            self.read += sum(_each(answer, request))
        return answer

    def _counted(self, request: dict[str, Any]) -> list[Item]:
        """Returns the items that DynamoDB counts in a query, because counting costs as much as reading."""
        items: list[Item] = TableClient(self.inner.table).query(**{**request, "Select": "ALL_PROJECTED_ATTRIBUTES"})[
            "Items"
        ]
        return items


def _record(key: Key) -> str:
    """Returns the kind of the record, as named in docs/contribute/records.md."""
    pk, _ = key
    return pk.partition("#")[0] if pk.startswith(("JOB#", "REQUEST#")) else pk


def _each(answer: dict[str, Any], request: dict[str, Any]) -> list[float]:
    """Returns the units of each item of a batch, including missing items."""
    ((table, wanted),) = request["RequestItems"].items()
    found: list[Item] = answer["Responses"][table]
    missing: list[Item] = [{}] * (len(wanted["Keys"]) - len(found))
    return [read_units([item], consistent=wanted.get("ConsistentRead", False)) for item in (*found, *missing)]
