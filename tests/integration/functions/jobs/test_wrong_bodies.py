"""Each of 42 hand-made wrong bodies is refused by the queue, with field and remedy, and by the emulator."""

import json
from collections.abc import Callable
from typing import Any

from local_sagemaker.api.protocol import answer
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.machine import StateMachine
from support.account.simulated_queue import request
from support.requests.wrong import WRONG

Call = Callable[..., tuple[int, dict[str, Any]]]


def test_there_are_42() -> None:
    assert len(WRONG) == 42


def test_the_queue_refuses_each_with_field_and_remedy(call: Call) -> None:
    for wrong, (changes, field) in WRONG.items():  # in one account, for each takes a while to make
        status, refusal = call("POST", "/add-job", request("wrong") | changes)
        assert (wrong, status, refusal["error"], refusal["field"]) == (wrong, 400, "invalid_request", field)
        assert refusal["remedy"]
    assert call("GET", "/jobs")[1]["jobs"] == []


def test_a_forecast_is_refused_alike(call: Call) -> None:
    for wrong, (changes, field) in WRONG.items():
        status, refusal = call("POST", "/what-if", {"request": request("wrong") | changes})
        assert (wrong, status, refusal["field"]) == (wrong, 400, field)


def test_the_emulator_refuses_each() -> None:
    for wrong, (changes, _) in WRONG.items():
        assert (wrong, *created(request("wrong") | changes)) == (wrong, 400, "ValidationException")


def test_both_accept_the_request_that_they_are_made_from(call: Call) -> None:
    assert created(request("wrong")) == (200, None)
    assert call("POST", "/add-job", request("wrong"))[0] == 201


def test_an_alternative_is_refused_like_a_request_of_its_own(call: Call) -> None:
    alternative = {"request": {"EnableManagedSpotTraining": True}}
    status, refusal = call("POST", "/jobs", {"request": request("wrong"), "options": {"alternatives": [alternative]}})
    assert (status, refusal["error"]) == (400, "invalid_request")
    assert refusal["field"] == "options.alternatives[0].request.StoppingCondition.MaxWaitTimeInSeconds"


def test_the_request_for_a_width_is_refused_like_a_request_of_its_own(call: Call) -> None:
    body = request("wrong")
    body["ResourceConfig"]["InstanceCount"] = 2
    widths = {"min": 1, "max": 2, "hyperparameters": {"1": {"data": "x" * 3000}}}
    status, refusal = call("POST", "/jobs", {"request": body, "options": {"instances": widths}})
    assert (status, refusal["error"]) == (400, "invalid_request")
    assert refusal["field"] == "options.instances.1.HyperParameters.data"


def created(body: dict[str, Any]) -> tuple[int, str | None]:
    reply = answer(StateMachine(Behaviour()), "SageMaker.CreateTrainingJob", json.dumps(body).encode(), 0)
    return reply.status, json.loads(reply.body).get("__type")
