"""Calls that operators use to set how many instances jobs may use (the budget) and whether the queue accepts jobs."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from typing_extensions import TypedDict

from api.answers import Time, optional_time_view, time_view
from api.call import Call, json_body, members, moment_in, required
from scheduler.core.calendar import calendar
from scheduler.core.calendar.calendar import Excess
from scheduler.core.callers.permissions import Verb
from scheduler.core.jobs.budget import Budget as InstanceBudget
from scheduler.core.jobs.demand import BUDGET_LINE
from scheduler.errors.refusals import bad_field, shown
from scheduler.queue.budget_and_intake import BudgetSource, CurrentBudget
from scheduler.wiring import config, shared

MAX_TYPES = 100
MAX_INSTANCES = 999_999
#: A calendar may change the budget many times a day.
LONGEST_PAST = timedelta(days=31)


class Period(TypedDict):
    """A budget that applies until the next period begins.

    `excess` shows, by type, what happens to jobs that exceed the budget.
    """

    begins: Time
    budget: dict[str, int]
    excess: dict[str, Excess]
    windows: list[str]


class Budget(TypedDict):
    """The current budget and its source: an operator, the calendar or the stack's parameter.

    `periods` lists the budgets from now on, for up to 28 days. `calendar_rests` means that an operator's own budget
    overrides the calendar. `changed_by` is the last operator who changed the budget or the intake.
    """

    budget: dict[str, int]
    source: BudgetSource
    stop_over_budget: bool
    calendar_rests: bool
    periods: list[Period]
    changed_by: str | None
    changed_at: Time | None


class PastBudget(TypedDict):
    """A budget that applied until the next budget began. `changed_by` is the operator who set it."""

    begins: Time
    budget: dict[str, int]
    source: BudgetSource
    changed_by: str | None


class PastBudgets(TypedDict):
    """Past budgets, oldest first. The last budget still applies."""

    budgets: list[PastBudget]


class Intake(TypedDict):
    """Whether the queue accepts jobs."""

    intake_open: bool


def get_budget(_call: Call) -> Budget:
    return _budget_view(config.budget_and_intake().budget())


def list_past_budgets(call: Call) -> PastBudgets:
    now = shared.clock().now()
    since = moment_in(call.query, "since", now - timedelta(days=1))
    if not now - LONGEST_PAST <= since <= now:
        problem = "in the future" if since > now else "too long ago"
        remedy = f"Use a time in the last {LONGEST_PAST.days} days."
        raise bad_field("since", f"is {shown(call.query['since'])}, {problem}", remedy)
    return {
        "budgets": [
            {
                "begins": time_view(past.begins),
                "budget": past.budget.as_dict(),
                "source": past.source,
                "changed_by": past.operator or None,
            }
            for past in config.past_budgets().since(since)
        ]
    }


def set_budget(call: Call) -> Budget:
    _require_operator(call)
    body = members(json_body(call, of='{"budget": {"ml.g5.xlarge": 4}}'), {"budget": dict, "stop_over_budget": bool})
    budget = _budget_of(required(body, "budget"))
    stops = body.get("stop_over_budget", False)
    return _budget_view(config.budget_and_intake().set_budget(budget, stop_over_budget=stops, author=call.caller))


def reset_budget(call: Call) -> Budget:
    _require_operator(call)
    return _budget_view(config.budget_and_intake().reset_budget(call.caller))


def drain(call: Call) -> Intake:
    _require_operator(call)
    return {"intake_open": config.budget_and_intake().set_intake(is_open=False, author=call.caller)}


def resume(call: Call) -> Intake:
    _require_operator(call)
    return {"intake_open": config.budget_and_intake().set_intake(is_open=True, author=call.caller)}


def _require_operator(call: Call) -> None:
    shared.authorization().require(Verb.OPERATE, call.caller)


def _budget_of(counts: Mapping[str, object]) -> InstanceBudget:
    """Returns the budget in a body. Raises BadRequest for the first invalid instance type or count."""
    if not 1 <= len(counts) <= MAX_TYPES:
        remedy = f"Name 1 to {MAX_TYPES} types. Use 0 for a type that no job may use."
        raise bad_field("budget", f"names {len(counts)} instance types", remedy)
    known: dict[str, int] = {}
    for instance_type, count in counts.items():
        if not BUDGET_LINE.fullmatch(instance_type):
            remedy = "Use a name such as ml.g5.xlarge."
            raise bad_field(f"budget.{instance_type[:100]}", "is not an instance type", remedy)
        if type(count) is not int or not 0 <= count <= MAX_INSTANCES:  # isinstance() would also accept a bool
            remedy = f"Use an integer from 0 to {MAX_INSTANCES}."
            raise bad_field(f"budget.{instance_type}", f"is {shown(count)}, which is not a count of instances", remedy)
        known[instance_type] = count
    return InstanceBudget.of(known)


def _budget_view(current: CurrentBudget) -> Budget:
    budgets, controls = current.budgets, current.controls
    return {
        "budget": budgets.now.budget.as_dict(),
        "source": current.source,
        "stop_over_budget": controls.stop_over_budget,
        "calendar_rests": budgets.calendar_rests,
        "periods": periods_view(budgets.periods),
        "changed_by": controls.author or None,
        "changed_at": optional_time_view(controls.changed_at),
    }


def periods_view(periods: Iterable[calendar.Period]) -> list[Period]:
    return [
        {
            "begins": time_view(period.begins),
            "budget": period.budget.as_dict(),
            "excess": {instance_type: period.excess.of(instance_type) for instance_type in period.budget.types},
            "windows": list(period.windows),
        }
        for period in periods
    ]
