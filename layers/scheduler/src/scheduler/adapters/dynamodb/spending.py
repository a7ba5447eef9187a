"""Keeps spending in the table: the counts of what was spent, and the warnings of spending limits.

The counts of a month are one partition, with an item for each owner, team or tag. Each reported warning is an item; the
function `history` reads each new one from the table's stream and sends it as an event.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import Item, attribute_values
from scheduler.adapters.dynamodb.records.items import SCHEDULE
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.records.unreadable_records import report_unreadable
from scheduler.adapters.dynamodb.table import Table, Write
from scheduler.core.spending.limits import LimitAction, Measure, Scope, ScopeKind, SpendingLimit, UseState
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.spending.warning import SpendingWarning
from scheduler.errors.internal import StaleJob

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_PREFIX = "SPENT#"
WARNED = "WARNED#"
_DIGITS = 4
#: How long after its last change DynamoDB deletes a count or a warning.
_RETENTION = timedelta(days=400)


def read_spent(table: Table, keys: Collection[SpentTimeKey]) -> dict[SpentTimeKey, SpentTime | None]:
    """Reads the counts that exist; None for an unreadable count."""
    return _spent_of_items(table.items([_key(key) for key in sorted(keys)]))


def read_spent_in_month(table: Table, month: str) -> dict[SpentTimeKey, SpentTime | None]:
    return _spent_of_items(table.partition(_PREFIX + month))


def spent_writes(table: str, counts: Mapping[SpentTimeKey, SpentTime], now: datetime) -> list[Write]:
    """Returns unconditional writes of counts: only the lease's holder changes them, and their transaction checks it."""
    expires = {"changed_by": "schedule", "expires_at": int((now + _RETENTION).timestamp())}
    puts = [
        _key(key) | attribute_values({"held": _rounded(spent.held), "billed": _rounded(spent.billed), **expires})
        for key, spent in sorted(counts.items())
    ]
    return [
        Write({"Put": {"TableName": table, "Item": put}}, lambda _: StaleJob("what has been spent")) for put in puts
    ]


def spent_from(item: Item) -> SpentTime:
    """Raises KeyError, TypeError, ValueError or AttributeError."""
    return SpentTime(_seconds_in(item["held"]), _seconds_in(item["billed"]))


def _spent_of_items(items: Iterable[Item]) -> dict[SpentTimeKey, SpentTime | None]:
    found: dict[SpentTimeKey, SpentTime | None] = {}
    for item in items:
        key = _key_in(item)
        if key is None:
            report_unreadable(item, "its key names no owner, team or tag")
            continue
        try:
            found[key] = spent_from(item)
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            report_unreadable(item, type(error).__name__)
            found[key] = None
    return found


def _key_in(item: Item) -> SpentTimeKey | None:
    """Returns None for a key that an operator wrote by hand: no query asks for such a key."""
    kind, _, name = item["sk"]["S"].partition("#")
    known = ScopeKind.__members__.get(kind.upper())
    return SpentTimeKey(item["pk"]["S"].removeprefix(_PREFIX), Scope(known, name)) if known and name else None


def _key(key: SpentTimeKey) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": _PREFIX + key.month}, "sk": {"S": f"{key.scope.kind}#{key.scope.name}"}}


def _rounded(seconds: Mapping[str, float]) -> dict[str, Decimal]:
    return {kind: Decimal(str(round(value, 3))) for kind, value in sorted(seconds.items())}


def _seconds_in(value: AttributeValueTypeDef) -> dict[str, float]:
    seconds = {kind: float(count["N"]) for kind, count in value["M"].items()}
    if not all(isfinite(count) and count >= 0 for count in seconds.values()):
        raise ValueError("no seconds")
    return seconds


@dataclass(frozen=True, slots=True)
class DynamoDBWarningStore:
    client: DynamoDBClient
    table: str

    def reported(self, month: str) -> Collection[str]:
        return {item["sk"]["S"] for item in Table(self.client, self.table).partition(WARNED + month)}

    def add(self, warning: SpendingWarning) -> bool:
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
