"""The calls on the queue as a whole: its budget, and whether it accepts jobs."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api import queue_answers
from api.asking import arn_prefix, caller
from api.bodies import json_body, members, required
from api.budget_reading import budget_of
from api.overview_views import overview_view
from scheduler import wiring
from scheduler.policy.callers.permissions import Verb
from scheduler.queue_control import BudgetInForce

router = APIGatewayRouter()


@router.get("/queue")
def show_queue() -> queue_answers.Queue:
    return overview_view(wiring.overviews().now(), arn_prefix(router))


@router.get("/budget")
def show_budget() -> queue_answers.Budget:
    return _budget_view(wiring.queue_control().budget())


@router.put("/budget")
def set_budget() -> queue_answers.Budget:
    _require_operator()
    body = members(json_body(router, of='{"budget": {"ml.g5.xlarge": 4}}'), {"budget": dict, "stop_over_budget": bool})
    budget = budget_of(required(body, "budget"))
    changed = wiring.queue_control().set_budget(budget, stop_over_budget=body.get("stop_over_budget", False))
    return _budget_view(changed)


@router.delete("/budget")
def reset_budget() -> queue_answers.Budget:
    _require_operator()
    return _budget_view(wiring.queue_control().reset_budget())


@router.post("/drain")
def drain() -> queue_answers.Intake:
    _require_operator()
    return {"intake_open": wiring.queue_control().set_intake(is_open=False)}


@router.post("/resume")
def resume() -> queue_answers.Intake:
    _require_operator()
    return {"intake_open": wiring.queue_control().set_intake(is_open=True)}


def _require_operator() -> None:
    wiring.access().require(Verb.OPERATE, caller(router))


def _budget_view(known: BudgetInForce) -> queue_answers.Budget:
    return {
        "budget": known.budget.as_dict(),
        "source": known.source,
        "stop_over_budget": known.stop_over_budget,
    }
