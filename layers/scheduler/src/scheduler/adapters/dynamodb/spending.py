"""Keeps the warnings of spending limits in the table, an item for each.

The function `history` reads each new one from the table's stream and sends it as an event. What was spent is in
`jobs/learned.py`, because the transaction that ends an attempt counts it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from scheduler.adapters.dynamodb.records.record_converter import SCHEDULE, Item, attribute_values, read_or_placeholder
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.spending.limits import LimitAction, Measure, Scope, ScopeKind, SpendingLimit, UseState
from scheduler.core.spending.warning import SpendingWarning

WARNED = "WARNED#"
_DIGITS = 4
#: How long after a warning DynamoDB deletes it.
_RETENTION = timedelta(days=400)


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
    """Raises KeyError, TypeError, ValueError or ArithmeticError."""
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
