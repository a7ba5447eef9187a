"""Warnings of limits on spending: an item for each that was told. The reader of the stream tells of each new one."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from attrs import frozen

from scheduler.adapters.dynamodb_notation import attribute_values
from scheduler.adapters.dynamodb_table import Table
from scheduler.adapters.dynamodb_writes import SCHEDULE
from scheduler.adapters.quarantine import report_unreadable
from scheduler.adapters.sort_keys import moment
from scheduler.domain.spending import Measure, Scope, ScopeKind, SpendingLimit, Then, UseState
from scheduler.domain.spending_warning import SpendingWarning

if TYPE_CHECKING:
    from collections.abc import Collection

    from mypy_boto3_dynamodb import DynamoDBClient

    from scheduler.adapters.dynamodb_notation import Item

WARNED = "WARNED#"
#: As long as what was spent in that month.
_KEPT = timedelta(days=400)
_DIGITS = 4


@frozen
class DynamoDBWarningStore:
    client: DynamoDBClient
    table: str

    def told(self, month: str) -> Collection[str]:
        return {item["sk"]["S"] for item in Table(self.client, self.table).partition(WARNED + month)}

    def keep(self, warning: SpendingWarning) -> bool:
        absent = "attribute_not_exists(pk)"
        try:
            self.client.put_item(TableName=self.table, Item=warning_item(warning), ConditionExpression=absent)
        except self.client.exceptions.ConditionalCheckFailedException:
            return False
        return True


def is_warning(item: Item) -> bool:
    return bool(item["pk"]["S"].startswith(WARNED))


def readable_warning(item: Item) -> SpendingWarning | None:
    try:
        return warning_from(item)
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        report_unreadable(item, type(error).__name__)
        return None


def warning_item(warning: SpendingWarning) -> Item:
    limit, scope = warning.limit, warning.scope
    item: Item = attribute_values(
        {
            "pk": WARNED + warning.month,
            "sk": warning.key,
            "changed_by": SCHEDULE,
            "expires_at": int((warning.at + _KEPT).timestamp()),
            "limit": limit.name,
            "of": limit.of,
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
    return item


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
        Then(item["then"]["S"]),
    )
    return SpendingWarning(
        month=item["pk"]["S"].removeprefix(WARNED),
        limit=limit,
        scope=Scope(kind, item["scope"]["S"]),
        state=UseState(item["state"]["S"]),
        used=Decimal(item["used"]["N"]),
        at=datetime.fromisoformat(item["at"]["S"]),
    )
