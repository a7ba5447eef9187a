"""`sagequeue queue`, `budget`, `drain` and `resume`."""

import json

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_request


@pytest.mark.usefixtures("queue")
def test_the_budget_shows_its_use_and_its_source() -> None:
    output = run("budget").stdout
    assert output.splitlines()[1].split() == ["ml.g5.xlarge", "2", "1"]
    assert "the stack's parameter InstanceBudget" in output
    assert json.loads(run("budget", "--json").stdout)["source"] == "parameter"


def test_the_budget_is_replaced_and_reset(queue: FakeQueue) -> None:
    output = run("budget", "set", "ml.g5.xlarge=4", "ml.p5.48xlarge=0", "--stop-over-budget").stdout
    assert queue.calls[-1].body == {"budget": {"ml.g5.xlarge": 4, "ml.p5.48xlarge": 0}, "stop_over_budget": True}
    assert "Jobs over the budget are preempted." in output
    assert json.loads(run("budget", "reset", "--json").stdout)["source"] == "parameter"


@pytest.mark.usefixtures("queue")
def test_json_may_also_be_asked_for_before_what_is_done_to_the_budget() -> None:
    assert json.loads(run("budget", "--json", "set", "ml.g5.xlarge=4").stdout)["source"] == "operator"
    assert json.loads(run("budget", "--json", "reset").stdout)["source"] == "parameter"


@pytest.mark.parametrize("lines", [(), ("ml.g5.xlarge",), ("=4",), ("ml.g5.xlarge=-1",), ("a=1", "a=2")])
def test_a_budget_that_makes_no_sense_is_wrong_usage(queue: FakeQueue, lines: tuple[str, ...]) -> None:
    assert run("budget", "set", *lines).exit_code == 2
    assert queue.calls == []


def test_a_drained_queue_refuses_until_it_is_resumed(queue: FakeQueue) -> None:
    assert run("drain").stdout == "The queue refuses new jobs.\n"
    refused = run("submit", "-", stdin=json.dumps(a_request()))
    assert refused.exit_code == 1
    assert "sagequeue resume" in refused.stderr
    assert "`sagequeue queue` shows whether the queue takes new jobs" in refused.stderr
    assert json.loads(run("resume", "--json").stdout) == {"intake_open": True}


def test_the_queue_at_a_glance(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    client.drain()
    output = run("queue").stdout
    for words in (
        "refused: drained",
        "1 pending",
        "vision",
        "1.5 instance h",
        "resnet",
        "ml.p5.48xlarge spot",
        "2026-11-21T12:02:00Z",
    ):
        assert words in output
    assert json.loads(run("queue", "--json").stdout) == client.queue()
