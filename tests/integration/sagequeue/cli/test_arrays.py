"""`sagequeue submit --array`, `arrays` and `ls`: how an array is given, and its one line."""

import json
from pathlib import Path

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from unit.sagequeue.builders.jobs import a_request

LR = '{"lr": [0.1, 0.01], "seed": [1, 2, 3, 4]}'


@pytest.fixture
def request_file(tmp_path: Path) -> str:
    path = tmp_path / "request.json"
    path.write_text(json.dumps({**a_request("sweep"), "HyperParameters": {"lr": "${lr}"}}))
    return str(path)


def test_an_array_is_submitted_with_its_limits(queue: FakeQueue, request_file: str) -> None:
    result = run("submit", request_file, "--array", LR, "--at-most", "2", "--most-failures", "0", "--priority", "5")
    assert (result.exit_code, "8: sweep-0 to sweep-7" in result.stdout) == (0, True)
    sent = queue.calls[-1].body
    assert (sent["parameters"], sent["at_most"], sent["most_failures"]) == (json.loads(LR), 2, 0)
    assert (sent["options"], sent["request"]["HyperParameters"]) == ({"priority": 5}, {"lr": "${lr}"})


def test_parameters_may_be_a_list_in_a_file(queue: FakeQueue, request_file: str, tmp_path: Path) -> None:
    path = tmp_path / "parameters.json"
    path.write_text(LR)
    assert run("submit", request_file, "--array", f"file://{path}").exit_code == 0
    assert queue.calls[-1].body["parameters"] == json.loads(LR)


@pytest.mark.parametrize("given", [("--array", "7"), ("--array", "{"), ("--at-most", "2"), ("--array", LR, "--wait")])
def test_a_wrong_use_submits_nothing(queue: FakeQueue, request_file: str, given: tuple[str, ...]) -> None:
    assert run("submit", request_file, *given).exit_code == 2
    assert queue.calls == []


def test_each_array_is_one_line(queue: FakeQueue, request_file: str) -> None:
    run("submit", request_file, "--array", LR)
    for command in (["ls"], ["arrays"]):
        shown = run(*command).stdout
        assert "1 done, 1 running, 1 waiting, 1 on hold or parked, 1 failed, 1 stopped, 2 to come" in shown
    assert [call.path.partition("?")[2] for call in queue.calls if "/jobs" in call.path] == ["children=false&limit=50"]
    run("ls", "--array", "sweep")
    assert "array=sweep" in queue.calls[-1].path


def test_an_array_is_shown_and_acted_on_as_a_whole(queue: FakeQueue, request_file: str) -> None:
    run("submit", request_file, "--array", LR, "--at-most", "2")
    assert "2 jobs run at once" in run("arrays", "show", "sweep").stdout
    for verb in ("hold", "release", "cancel"):
        assert run("arrays", verb, "sweep").exit_code == 0
        assert (queue.calls[-1].method, queue.calls[-1].path.endswith(f"/arrays/sweep/{verb}")) == ("POST", True)
    assert run("arrays", "approve", "sweep", "--max-runtime", "3600").exit_code == 0
    assert (queue.calls[-1].path, queue.calls[-1].body) == ("/arrays/sweep/approve", {"max_runtime": 3600})
    for priority in (5, -5):
        answer = json.loads(run("arrays", "priority", "sweep", str(priority), "--json").stdout)
        assert answer["priority"] == priority
    assert run("arrays", "cancel", "other").exit_code == 3
    assert run("arrays", "cancel", "../jobs").exit_code == 3
