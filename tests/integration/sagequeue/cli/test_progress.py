"""`sagequeue wait` and `logs`."""

import json
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_job, a_request

COMPLETED = 8 * STAGE_SECONDS
TRIES = 6  # of one call


class Impatient(Clock):
    """Presses Ctrl-C at the first pause."""

    def sleep(self, seconds: float) -> NoReturn:  # noqa: ARG002  # as a clock is asked
        raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def pauses(clock: Clock, client: QueueClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sagequeue.cli.progress.time", clock)
    client.submit(a_request())


@pytest.mark.parametrize(("state", "exit_code"), [("completed", 0), ("failed", 10), ("stopped", 11), ("parked", 12)])
def test_the_exit_code_shows_the_result_of_the_job(queue: FakeQueue, state: str, exit_code: int) -> None:
    queue.life = [*queue.life[:4], a_job(state, state)]
    assert run("wait", "resnet").exit_code == exit_code


def test_each_new_reason_to_wait_is_printed_once_on_standard_error(clock: Clock) -> None:
    result = run("wait", "resnet", "--json")
    assert result.stderr.splitlines() == [
        "resnet: queued: position 2, priority 4: because of waits_for_budget",
        "resnet: queued: position 1, priority 4: because of waits_for_budget",
        "resnet: launching",
        "resnet: running",
        "resnet: stopping",
        "resnet: queued: position 1, priority 4: because of waits_for_budget",
        "resnet: launching",
        "resnet: running",
    ]
    assert json.loads(result.stdout)["state"] == "completed"


def test_a_timeout_ends_the_waiting_and_not_the_job(queue: FakeQueue, clock: Clock) -> None:
    result = run("wait", "resnet", "--timeout", "40")
    assert result.exit_code == 124
    assert "resnet is still pending and stays in the queue" in result.stderr
    assert clock.now == 40
    assert queue.cancelled == set()


def lose(queue: FakeQueue, polls: int) -> Callable[[], None]:
    """Returns a function that lets the queue leave so many polls unanswered."""
    return lambda: queue.faults.extend([(503, {})] * TRIES * polls)


@pytest.mark.parametrize("fault", [{}, {"error": "bad_setting", "message": "No.", "field": None, "remedy": ""}])
def test_a_queue_that_does_not_answer_for_a_while_is_asked_again(queue: FakeQueue, fault: dict[str, Any]) -> None:
    queue.overtaking = [lambda: queue.faults.extend([(503, fault)] * TRIES * 3), lambda: None]
    result = run("wait", "resnet", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["state"] == "completed"
    assert result.stderr.count("resnet: no answer from the queue; asking again for up to 15 minutes: ") == 1


def test_each_time_that_the_queue_does_not_answer_is_reported(queue: FakeQueue) -> None:
    queue.overtaking = [lose(queue, 2), *[lambda: None] * TRIES * 2, lose(queue, 2)]
    result = run("wait", "resnet")
    assert (result.exit_code, result.stderr.count("no answer from the queue")) == (0, 2)


def test_a_queue_that_does_not_answer_for_15_minutes_ends_the_waiting(queue: FakeQueue, clock: Clock) -> None:
    queue.overtaking = [lose(queue, 1000)]
    result = run("wait", "resnet")
    assert result.exit_code == 5
    assert "cannot be reached" in result.stderr
    assert 900 <= clock.now < 960


def test_a_timeout_ends_the_waiting_for_a_queue_that_does_not_answer(queue: FakeQueue, clock: Clock) -> None:
    queue.overtaking = [lose(queue, 1000)]
    result = run("wait", "resnet", "--timeout", "60")
    assert result.exit_code == 124
    assert 60 <= clock.now < 120


def test_a_queue_that_does_not_answer_the_first_call_ends_the_command(queue: FakeQueue) -> None:
    queue.faults = [(503, {})] * TRIES
    assert run("wait", "resnet").exit_code == 5


@pytest.mark.usefixtures("aws")
def test_logs_follow_the_job_over_its_preemption() -> None:
    lines = run("logs", "-f", "resnet").stdout.splitlines()
    assert "── resnet-sq-1: preempted for urgent; the job resumes at its next turn ──" in lines
    assert lines[-3:] == ["attempt 2: resumed", "attempt 2: epoch 3", "── resnet-sq-2: completed ──"]


@pytest.mark.usefixtures("aws")
def test_for_programs_each_line_is_an_object() -> None:
    lines = [json.loads(line) for line in run("logs", "-f", "resnet", "--json").stdout.splitlines()]
    assert lines[-2:] == [
        {"text": "attempt 2: epoch 3", "host": "algo-1"},
        {"text": "resnet-sq-2: completed", "host": ""},
    ]


@pytest.mark.usefixtures("aws")
def test_the_end_of_a_log_can_be_asked_for(clock: Clock) -> None:
    clock.now = COMPLETED
    assert run("logs", "-f", "-n", "2", "resnet").stdout == run("logs", "-n", "2", "resnet").stdout
    assert run("logs", "-n", "2", "resnet").stdout == "attempt 2: epoch 3\n── resnet-sq-2: completed ──\n"


def test_a_missing_permission_to_read_logs_is_reported(aws: FakeAws, clock: Clock) -> None:
    clock.now = COMPLETED
    aws.may_list_logs = False
    denied = run("logs", "resnet")
    assert denied.exit_code == 4
    assert "not authorized to perform logs:DescribeLogStreams" in denied.stderr
    assert "permissions of this shell's credentials" in denied.stderr


@pytest.mark.parametrize("words", [("logs", "-f"), ("wait",)])
def test_ctrl_c_ends_the_waiting_and_not_the_job_and_prints_how_to_continue(
    aws: FakeAws, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("sagequeue.jobs.polling.time", Impatient())
    result = run(*words, "resnet")
    assert result.exit_code == 130
    assert f"`sagequeue {' '.join(words)} resnet`" in result.stderr
    assert "`sagequeue cancel resnet`" in result.stderr
    assert queue.cancelled == set()
