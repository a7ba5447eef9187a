"""The example of a state machine, as far as Step Functions is not needed; tests/e2e/jobs/test_examples.py runs it."""

import json
from typing import Any

import pytest

from scheduler.core.history.callbacks.timing import RUN_EVERY
from support.checkout import CHECKOUT


@pytest.fixture(scope="module")
def training() -> dict[str, Any]:
    machine = json.loads((CHECKOUT / "examples/state_machine/training.asl.json").read_text())
    task: dict[str, Any] = machine["States"]["TrainAll"]["ItemProcessor"]["States"]["Train"]
    return task


def test_it_waits_for_the_token_that_it_hands_to_the_queue(training: dict[str, Any]) -> None:
    assert training["Resource"].endswith(".waitForTaskToken")
    assert training["Arguments"]["Payload"]["task_token"] == "{% $states.context.Task.Token %}"


def test_it_survives_heartbeats_that_are_lost(training: dict[str, Any]) -> None:
    assert training["HeartbeatSeconds"] >= 5 * RUN_EVERY.total_seconds()
