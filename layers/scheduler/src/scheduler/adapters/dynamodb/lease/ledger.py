"""Builds writes to the ledger, which counts the held instances of each type.

These writes are parts of the transactions that reserve and release instances.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from scheduler.adapters.dynamodb.records.items import ledger_key
from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.adapters.dynamodb.writes import Refusal, Write, check, update
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseLost, OverBudget, SchedulerError
from scheduler.ports.job_store import SCHEDULE

_MINE = "fence = :fence"
_HELD = "held."


def reserve(demand: Demand, budget: Budget, lease: Lease) -> Write:
    """Adds the demand to the counts, within the budget. The demand must fit the whole budget."""
    free = [f"(attribute_not_exists(#held{n}) OR #held{n} <= :room{n})" for n, _ in enumerate(demand)]
    room = {f":room{n}": budget.limit[kind] - demand[kind] for n, kind in enumerate(demand)}

    def refusal(ledger: Item) -> SchedulerError:
        fenced_off = ledger.get("fence") != {"N": str(lease.fence)}
        return lost(lease) if fenced_off else OverBudget(f"{demand} is not free")

    return _addition(demand, lease, refusal, free, room)


def change(demand: Demand, lease: Lease) -> Write:
    """Lowers the counts, or raises them for instances that are already held. Ignores the budget."""
    return check_lease(lease) if demand == NOTHING else _addition(demand, lease, lost(lease))


def correction(ledger: Item, held: Demand, lease: Lease) -> Write | None:
    """Corrects wrong counts of held instances; None if all counts are right. Only the lease's holder changes counts."""
    counted = {name.removeprefix(_HELD): value for name, value in ledger.items() if name.startswith(_HELD)}
    wrong = [kind for kind, value in counted.items() if value != {"N": str(held[kind])}]
    wrong += [kind for kind in held if kind not in counted]
    changes = ", ".join(f"#held{n} = :count{n}" for n, _ in enumerate(wrong))
    values = {
        ":schedule": SCHEDULE,
        ":fence": lease.fence,
        **{f":count{n}": held[kind] for n, kind in enumerate(wrong)},
    }
    set_counts = f"SET {changes}, changed_by = :schedule"
    return update(ledger_key(), set_counts, _MINE, values, lost(lease), _names(wrong)) if wrong else None


def check_lease(lease: Lease) -> Write:
    """Fails if another holder now has the lease. Changes nothing."""
    return check(ledger_key(), _MINE, {":fence": lease.fence}, lost(lease))


def _addition(
    demand: Demand,
    lease: Lease,
    refusal: Refusal,
    conditions: Sequence[str] = (),
    limits: Mapping[str, int] = MappingProxyType({}),
) -> Write:
    additions = ", ".join(f"#held{n} :change{n}" for n, _ in enumerate(demand))
    changes = {f":change{n}": demand[kind] for n, kind in enumerate(demand)}
    write = update(
        ledger_key(),
        f"ADD {additions} SET changed_by = :schedule",
        " AND ".join([_MINE, *conditions]),
        {":schedule": SCHEDULE, ":fence": lease.fence, **limits, **changes},
        refusal,
        _names(demand),
    )
    return replace(write, parameters={**write.parameters, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})


def _names(kinds: Iterable[str]) -> dict[str, str]:
    # Instance types contain dots, so expressions need placeholders for them.
    return {f"#held{n}": _HELD + kind for n, kind in enumerate(kinds)}


def lost(lease: Lease) -> LeaseLost:
    return LeaseLost(f"fence {lease.fence} is no longer the newest")
