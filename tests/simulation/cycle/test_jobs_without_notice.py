"""Jobs that cannot use a notice get none, and are stopped at once."""

from typing import Any

import pytest

from scheduler.queue.submission import Submission
from simulation.cycle.victim import VICTIM, WITH_NOTICE, is_stopped, status, training, training_silently
from support.account.simulated_queue import ADA, SimulatedQueue, request


@pytest.mark.parametrize(
    "members",
    [
        {"EnableNetworkIsolation": True},
        {"Environment": {f"V{number}": "" for number in range(96)}},
        {"CheckpointConfig": {"S3Uri": "s3://bucket/" + 512 * "x"}},
    ],
)
def test_a_job_that_cannot_use_a_notice_gets_none(members: dict[str, Any]) -> None:
    queue = training_silently(**members)
    assert queue.stop_objects.requests == {}
    assert not any("SAGEQUEUE" in name for name in queue.simulation.machine.jobs[VICTIM].request.get("Environment", {}))
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_a_job_without_checkpoints_gets_no_notice() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 7200})
    body = {name: value for name, value in request("victim").items() if name != "CheckpointConfig"}
    queue.queue.submit(Submission(body), caller=ADA)
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    assert queue.stop_objects.requests == {}


def test_without_notice_in_the_policy_nothing_is_written() -> None:
    queue = training({"policy": WITH_NOTICE["policy"] | {"notice": "0s"}})
    assert queue.stop_objects.requests == {}
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_a_job_starts_without_notice_while_s3_fails() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 7200})
    queue.stop_objects.is_down = True
    queue.submit("victim")
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    assert not queue.store.attempts[VICTIM].takes_notice
    queue.stop_objects.is_down = False
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_an_attempt_without_instances_is_stopped_at_once() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 7200})
    queue.submit("victim")
    queue.cycle()
    assert queue.store.attempts[VICTIM].takes_notice
    queue.submit("urgent", 9)
    queue.cycle()
    assert status(queue).startswith("Stopp")
