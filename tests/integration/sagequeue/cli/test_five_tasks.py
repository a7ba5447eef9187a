"""Five common tasks, with the commands that docs/reference/cli.md names for them: three at most."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from support.checkout import CHECKOUT
from unit.sagequeue.builders.history import a_change, a_run
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

PAGE = CHECKOUT / "docs" / "reference" / "cli.md"


def commands_of(question: str) -> list[str]:
    """Returns the commands in the question's row of the page."""
    row = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| {question} |"))
    commands = re.findall("`sagequeue (.+?)`", row)
    assert 1 <= len(commands) <= 3
    return commands


def answers_to(question: str) -> list[str]:
    results = [run(*command.split()) for command in commands_of(question)]
    assert [result.exit_code for result in results] == [0] * len(results), [result.output for result in results]
    return [result.stdout for result in results]


def in_state(queue: FakeQueue, client: QueueClient, state: str, **values: Any) -> None:
    queue.life = [a_job(state, **values)]
    client.submit(a_request())


def test_who_holds_my_instances(queue: FakeQueue, client: QueueClient) -> None:
    in_state(queue, client, "running", attempts=[an_attempt(1)])
    (listed,) = answers_to("Who holds my instances?")
    assert re.search(r"resnet +running .* anna +1 × ml.g5.xlarge", listed)


def test_when_will_mine_start(queue: FakeQueue, client: QueueClient) -> None:
    in_state(queue, client, "pending", position=2)
    listed, why = answers_to("When will my jobs start?")
    assert re.search(r"2 +resnet +pending", listed)
    assert re.search(r"starts +in .*; after bert", why)


def test_all_sweeps_of_a_team_are_stopped(queue: FakeQueue, client: QueueClient) -> None:
    for name in ("sweep-1", "sweep-2", "other"):
        client.submit(a_request(name))
    answers_to("How do I stop all sweeps of team vision?")
    assert queue.cancelled == {"sweep-1", "sweep-2"}
    assert queue.calls[-1].body["filter"]["team"] == "vision"


@pytest.mark.usefixtures("aws")
def test_why_did_it_fail(queue: FakeQueue, client: QueueClient) -> None:
    reason = "AlgorithmError: ExecuteUserScriptError: out of memory"
    attempt = an_attempt(1, "failed", status="Failed", secondary_status="Failed", failure_reason=reason)
    in_state(queue, client, "failed", message=reason, attempts=[attempt])
    listed, shown, log = answers_to("Why did it fail?")
    assert "resnet" in listed
    assert reason in shown
    assert "resnet-sq-1" in log


def test_how_much_did_we_spend(queue: FakeQueue) -> None:
    begin = datetime.now(UTC) - timedelta(days=1)
    hours = [(begin + timedelta(hours=hour)).isoformat() for hour in range(3)]
    times: dict[str, Any] = {
        "waited_since": hours[0],
        "reserved_at": hours[0],
        "training_started_at": hours[0],
        "ended_at": hours[2],
    }
    queue.changes = [a_change(team="vision", recorded_at=hours[2], run=a_run(billable_seconds=7200, **times))]
    report, spending = answers_to("How much did we spend?")
    assert re.search(r"vision +1 +1 .* 3\.00", report)  # two hours of 1.50 dollars
    assert "spending limits" in spending
