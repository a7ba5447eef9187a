"""Converts values to records of the table, and back.

Unknown attributes and unknown kinds of actions are ignored when read, so that an older function can run beside a newer
one during a deployment.
"""

from collections.abc import Mapping
from datetime import datetime

from cattrs import Converter

from scheduler.adapters.dynamodb.records.attribute_values import Item, attribute_values
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.core.jobs.action import Action, ActionKind
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand

SCHEMA = 1
_ACTION_KINDS = frozenset(ActionKind)


def record(values: Mapping[str, object], changed_by: str) -> Item:
    return attribute_values({"schema": SCHEMA, "changed_by": changed_by, **values})


def _make_converter() -> Converter:
    # Unset values have no attribute, so that conditions can check whether it exists.
    made = Converter(omit_if_default=True, detailed_validation=False)
    made.register_unstructure_hook(datetime, moment)
    made.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    made.register_unstructure_hook(Demand, Demand.as_dict)
    made.register_structure_hook(Demand, lambda counts, _: Demand.of({kind: int(n) for kind, n in counts.items()}))
    made.register_unstructure_hook(Budget, Budget.as_dict)
    made.register_structure_hook(Budget, lambda counts, _: Budget.of({kind: int(n) for kind, n in counts.items()}))
    made.register_structure_hook_func(lambda kind: kind == tuple[Action, ...], _known_actions)
    return made


def _known_actions(actions: list[dict[str, object]], _: object) -> tuple[Action, ...]:
    return tuple(converter.structure(action, Action) for action in actions if action["kind"] in _ACTION_KINDS)


converter = _make_converter()
