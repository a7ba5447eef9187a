"""Requests as the real SDKs send them, and thousands of damaged ones."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from local_sagemaker.api.protocol import answer
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.machine import StateMachine
from support.requests.damage import damage
from unit.local_sagemaker.situations import PATIENT

REQUESTS = sorted((Path(__file__).parents[3] / "data" / "requests").glob("*.json"))
ONLY_IN_CREATE = {"Tags", "SessionChainingConfig"}
MUTATIONS_PER_REQUEST = 200  # 5,000 in all
MONTH_SECONDS = 30 * 86_400


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_real_request_is_accepted_and_described_back(path: Path) -> None:
    request = json.loads(path.read_text())
    client = Simulation(behaviour=PATIENT).client()
    client.create_training_job(**request)
    description: dict[str, Any] = {**client.describe_training_job(TrainingJobName=request["TrainingJobName"])}
    for member in request.keys() - ONLY_IN_CREATE:
        assert contains(description[member], request[member]), member


def contains(whole: Any, part: Any) -> bool:
    """Checks that SageMaker adds members and changes none."""
    if isinstance(part, dict):
        return all(key in whole and contains(whole[key], value) for key, value in part.items())
    if isinstance(part, list):
        return len(whole) == len(part) and all(map(contains, whole, part))
    return bool(whole == part)


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_damaged_request_never_breaks_the_server(path: Path) -> None:
    chance = random.Random(path.stem)  # noqa: S311 - repeatable damage
    machine = StateMachine(PATIENT)
    for now in range(MUTATIONS_PER_REQUEST):
        request = json.loads(path.read_text())
        damage(request, chance)
        reply = answer(machine, "SageMaker.CreateTrainingJob", json.dumps(request).encode(), now)
        assert reply.status in {200, 400}
        assert json.loads(reply.body).get("__type") in {None, "ValidationException", "ResourceInUse"}
    machine.advance(MUTATIONS_PER_REQUEST + MONTH_SECONDS)  # what was accepted can be lived with
