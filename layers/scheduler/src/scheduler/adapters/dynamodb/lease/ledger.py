"""Builds the writes of the ledger, which counts the held instances of each type.

They are parts of the transactions that reserve and release instances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import Item, attribute_values
from scheduler.adapters.dynamodb.records.items import SCHEDULE, ledger_key
from scheduler.adapters.dynamodb.table import Write
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, OverBudget, SchedulerError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, TransactWriteItemTypeDef, UpdateTypeDef

_MINE = "fence = :fence"
_HELD = "held."


def reserve(table: str, demand: Demand, budget: Budget, lease: Lease) -> Write:
    """Raises the counts within the budget. The demand must fit the whole budget."""
    free = [f"(attribute_not_exists({held}) OR {held} <= :room{n})" for n, held in enumerate(_held_names(demand))]
    room = {f":room{n}": budget.limit[kind] - demand[kind] for n, kind in enumerate(demand)}
    update = _change_counts(table, demand, [_MINE, *free], {":fence": lease.fence, **room})

    def refusal(ledger: Item) -> SchedulerError:
        fenced_off = ledger.get("fence") != {"N": str(lease.fence)}
        return _lost(lease) if fenced_off else OverBudget(f"{demand} is not free")

    return Write({"Update": update}, refusal)


def change(table: str, demand: Demand, lease: Lease) -> Write:
    """Lowers the counts, or raises them by instances that are already held, regardless of the budget."""
    if demand == NOTHING:
        return check_lease(table, lease)
    update = _change_counts(table, demand, [_MINE], {":fence": lease.fence})
    return Write({"Update": update}, lambda _: _lost(lease))


def correction(table: str, ledger: Item, held: Demand, lease: Lease) -> Write | None:
    """Corrects wrong counts of held instances; None if all are right. Only the lease's holder changes counts."""
    wrong = [name for name, value in _counts(ledger).items() if value != {"N": str(held[name.removeprefix(_HELD)])}]
    missing = [_HELD + kind for kind in held if _HELD + kind not in ledger]
    if not wrong and not missing:
        return None
    names = {f"#held{n}": name for n, name in enumerate(wrong + missing)}
    counts = {f":count{n}": held[name.removeprefix(_HELD)] for n, name in enumerate(wrong + missing)}
    changes = ", ".join(f"{name} = {count}" for name, count in zip(names, counts, strict=True))
    update: UpdateTypeDef = {
        "TableName": table,
        "Key": ledger_key(),
        "UpdateExpression": f"SET {changes}, changed_by = :schedule",
        "ConditionExpression": _MINE,
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": attribute_values({":schedule": SCHEDULE, ":fence": lease.fence, **counts}),
    }
    return Write({"Update": update}, lambda _: _lost(lease))


def check_lease(table: str, lease: Lease) -> Write:
    """Changes nothing, and fails if another holder has the lease now."""
    check: TransactWriteItemTypeDef = {
        "ConditionCheck": {
            "TableName": table,
            "Key": ledger_key(),
            "ConditionExpression": _MINE,
            "ExpressionAttributeValues": attribute_values({":fence": lease.fence}),
        }
    }
    return Write(check, lambda _: _lost(lease))


def _change_counts(
    table: str, change: Demand, conditions: Sequence[str], condition_values: dict[str, int]
) -> UpdateTypeDef:
    # Instance types contain dots, which expressions accept only as names.
    names = _held_names(change)
    additions = ", ".join(f"{name} :change{n}" for n, name in enumerate(names))
    changes = {f":change{n}": change[kind] for n, kind in enumerate(change)}
    return {
        "TableName": table,
        "Key": ledger_key(),
        "UpdateExpression": f"ADD {additions} SET changed_by = :schedule",
        "ConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeNames": {name: _HELD + kind for name, kind in zip(names, change, strict=True)},
        "ExpressionAttributeValues": attribute_values({":schedule": SCHEDULE, **condition_values, **changes}),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


def _counts(ledger: Item) -> dict[str, AttributeValueTypeDef]:
    return {name: value for name, value in ledger.items() if name.startswith(_HELD)}


def _held_names(demand: Demand) -> list[str]:
    return [f"#held{n}" for n, _ in enumerate(demand)]


def _lost(lease: Lease) -> LeaseLost:
    return LeaseLost(f"fence {lease.fence} is no longer the newest")
