"""The calls on the queue as a whole: its budget, and whether it accepts jobs."""

from api.http.bodies import json_body, members, required
from api.http.call import Call
from api.queue import queue_answers
from api.queue.budget_reading import budget_of
from api.queue.overview import overview_view
from scheduler.core.callers.permissions import Verb
from scheduler.queue.budget_and_intake import CurrentBudget
from scheduler.wiring import config, queue, shared


def show_queue(call: Call) -> queue_answers.Queue:
    return overview_view(queue.summary_reader().now(), call.arn_prefix)


def show_budget(_call: Call) -> queue_answers.Budget:
    return _budget_view(config.budget_and_intake().budget())


def set_budget(call: Call) -> queue_answers.Budget:
    _require_operator(call)
    body = members(json_body(call, of='{"budget": {"ml.g5.xlarge": 4}}'), {"budget": dict, "stop_over_budget": bool})
    budget = budget_of(required(body, "budget"))
    changed = config.budget_and_intake().set_budget(budget, stop_over_budget=body.get("stop_over_budget", False))
    return _budget_view(changed)


def reset_budget(call: Call) -> queue_answers.Budget:
    _require_operator(call)
    return _budget_view(config.budget_and_intake().reset_budget())


def drain(call: Call) -> queue_answers.Intake:
    _require_operator(call)
    return {"intake_open": config.budget_and_intake().set_intake(is_open=False)}


def resume(call: Call) -> queue_answers.Intake:
    _require_operator(call)
    return {"intake_open": config.budget_and_intake().set_intake(is_open=True)}


def _require_operator(call: Call) -> None:
    shared.authorization().require(Verb.OPERATE, call.caller)


def _budget_view(known: CurrentBudget) -> queue_answers.Budget:
    return {
        "budget": known.budget.as_dict(),
        "source": known.source,
        "stop_over_budget": known.stop_over_budget,
    }
