"""Calls of operators on the budget and the intake: how many instances jobs may use, and whether jobs are accepted."""

import re
from collections.abc import Mapping

from typing_extensions import TypedDict

from api.call import Call, json_body, members, required
from scheduler.core.callers.permissions import Verb
from scheduler.core.jobs.budget import Budget as InstanceBudget
from scheduler.errors.refusals import bad_field
from scheduler.queue.budget_and_intake import BudgetSource, CurrentBudget
from scheduler.wiring import config, shared

_INSTANCE_TYPE = re.compile(r"ml\.[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}")
MAX_TYPES = 100
MAX_INSTANCES = 999_999


class Budget(TypedDict):
    """The current budget, and whether an operator, the calendar or the stack's parameter sets it."""

    budget: dict[str, int]
    source: BudgetSource
    stop_over_budget: bool


class Intake(TypedDict):
    """Tells whether the queue accepts jobs."""

    intake_open: bool


def get_budget(_call: Call) -> Budget:
    return _budget_view(config.budget_and_intake().budget())


def set_budget(call: Call) -> Budget:
    _require_operator(call)
    body = members(json_body(call, of='{"budget": {"ml.g5.xlarge": 4}}'), {"budget": dict, "stop_over_budget": bool})
    budget = _budget_of(required(body, "budget"))
    changed = config.budget_and_intake().set_budget(budget, stop_over_budget=body.get("stop_over_budget", False))
    return _budget_view(changed)


def reset_budget(call: Call) -> Budget:
    _require_operator(call)
    return _budget_view(config.budget_and_intake().reset_budget())


def drain(call: Call) -> Intake:
    _require_operator(call)
    return {"intake_open": config.budget_and_intake().set_intake(is_open=False)}


def resume(call: Call) -> Intake:
    _require_operator(call)
    return {"intake_open": config.budget_and_intake().set_intake(is_open=True)}


def _require_operator(call: Call) -> None:
    shared.authorization().require(Verb.OPERATE, call.caller)


def _budget_of(counts: Mapping[str, object]) -> InstanceBudget:
    """Returns the budget in a body. Raises BadRequest for the first wrong instance type or count."""
    if not 1 <= len(counts) <= MAX_TYPES:
        remedy = f"Name 1 to {MAX_TYPES} types. Use 0 for a type that no job may use."
        raise bad_field("budget", f"names {len(counts)} instance types", remedy)
    known: dict[str, int] = {}
    for instance_type, count in counts.items():
        if not _INSTANCE_TYPE.fullmatch(instance_type):
            remedy = "Use a name such as ml.g5.xlarge."
            raise bad_field(f"budget.{instance_type[:100]}", "is not an instance type", remedy)
        if type(count) is not int or not 0 <= count <= MAX_INSTANCES:  # a bool is an int to isinstance
            remedy = f"Use an integer from 0 to {MAX_INSTANCES}."
            raise bad_field(f"budget.{instance_type}", "is not a count of instances", remedy)
        known[instance_type] = count
    return InstanceBudget.of(known)


def _budget_view(current: CurrentBudget) -> Budget:
    return {"budget": current.budget.as_dict(), "source": current.source, "stop_over_budget": current.stop_over_budget}
