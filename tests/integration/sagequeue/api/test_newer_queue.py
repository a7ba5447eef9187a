"""A newer queue answers with states, reasons and members that the client does not know."""

import json

import pytest

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

NEWER = a_job(
    "levitating",
    "of_next_year",
    "held by a magnet",
    magnet={"poles": 2},
    attempts=[an_attempt(1, "evaporated", failure_class="cosmic", magnet=2)],
    actions=[{"at": "2026-11-21T10:00:00Z", "kind": "magnetised", "by": "role/Physics", "message": "by hand"}],
)


@pytest.fixture(autouse=True)
def newer(queue: FakeQueue, client: QueueClient, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sagequeue.cli.progress.time", clock)
    queue.life = [NEWER]
    client.submit(a_request())


@pytest.mark.parametrize("words", [("ls",), ("show", "resnet"), ("why", "resnet")])
def test_what_is_not_known_is_shown_as_it_is(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "levitating" in result.stdout or "held by a magnet" in result.stdout


def test_programs_get_all_of_it() -> None:
    assert json.loads(run("show", "resnet", "--json").stdout)["magnet"] == {"poles": 2}


def test_an_unknown_state_keeps_programs_waiting() -> None:
    waited = run("wait", "resnet", "--timeout", "40")
    assert waited.exit_code == 124
    assert "resnet is still levitating" in waited.stderr
