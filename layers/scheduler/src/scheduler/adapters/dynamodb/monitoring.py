"""Stores sweeps' reports on the queue: its head, and the warnings about spending limits.

The function `history` reads each change to the head, and each new warning, from the table's stream and sends it as an
event.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from scheduler.adapters.dynamodb.records.record_converter import (
    Item,
    attribute_values,
    converter,
    read_or_placeholder,
    reader_of,
    record,
)
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import put
from scheduler.core.history.metrics import QueueHead
from scheduler.core.spending.limits import LimitAction, Measure, Scope, ScopeKind, SpendingLimit, UseState
from scheduler.core.spending.warning import SpendingWarning
from scheduler.ports.job_store import SCHEDULE

WARNED = "WARNED#"
_DIGITS = 4
#: DynamoDB deletes a warning after this time.
_RETENTION = timedelta(days=400)
head_from = reader_of(QueueHead)


@dataclass(frozen=True, slots=True)
class DynamoDBQueueHeadStore:
    table: Table

    def last(self) -> QueueHead | None:
        item = self.table.item(head_key(), consistent=False)
        return readable_head(item) if item else None

    def save(self, head: QueueHead) -> None:
        self.table.write(put(head_key() | record(converter.unstructure(head), SCHEDULE)))


def head_key() -> Item:
    return {"pk": {"S": "HEAD"}, "sk": {"S": "HEAD"}}


def readable_head(item: Item) -> QueueHead | None:
    """Returns None for an unreadable item: the next sweep then reports the head again."""
    return read_or_placeholder(head_from, item, lambda _: None)


@dataclass(frozen=True, slots=True)
class DynamoDBWarningStore:
    table: Table

    def reported(self, month: str) -> Collection[str]:
        return {item["sk"]["S"] for item in self.table.partition(WARNED + month)}

    def add(self, warning: SpendingWarning) -> bool:
        return self.table.add(warning_item(warning))


def is_warning(item: Item) -> bool:
    return bool(item["pk"]["S"].startswith(WARNED))


def readable_warning(item: Item) -> SpendingWarning | None:
    return read_or_placeholder(warning_from, item, lambda _: None)


def warning_item(warning: SpendingWarning) -> Item:
    limit, scope = warning.limit, warning.scope
    return attribute_values(
        {
            "pk": WARNED + warning.month,
            "sk": warning.key,
            "changed_by": SCHEDULE,
            "expires_at": int((warning.at + _RETENTION).timestamp()),
            "limit": limit.name,
            "of": limit.scope_name,
            "kind": scope.kind.value,
            "scope": scope.name,
            "measure": limit.measure.value,
            "most": limit.most,
            "warn_at": limit.warn_at,
            "then": limit.then.value,
            "state": warning.state.value,
            "used": round(warning.used, _DIGITS),
            "at": moment(warning.at),
        }
    )


def warning_from(item: Item) -> SpendingWarning:
    """Converts the item to a warning. Raises KeyError, TypeError, ValueError or ArithmeticError."""
    kind = ScopeKind(item["kind"]["S"])
    limit = SpendingLimit(
        item["limit"]["S"],
        kind,
        item["of"]["S"],
        Measure(item["measure"]["S"]),
        Decimal(item["most"]["N"]),
        Decimal(item["warn_at"]["N"]),
        LimitAction(item["then"]["S"]),
    )
    return SpendingWarning(
        month=item["pk"]["S"].removeprefix(WARNED),
        limit=limit,
        scope=Scope(kind, item["scope"]["S"]),
        state=UseState(item["state"]["S"]),
        used=Decimal(item["used"]["N"]),
        at=datetime.fromisoformat(item["at"]["S"]),
    )
