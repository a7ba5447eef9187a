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


def test_setting_a_budget_changes_only_the_types_that_are_named_and_shows_the_difference(queue: FakeQueue) -> None:
    result = run("budget", "set", "ml.p5.48xlarge=3", "--yes")
    assert queue.calls[-1].body["budget"] == {"ml.g5.xlarge": 2, "ml.p5.48xlarge": 3}
    assert result.stderr == "ml.p5.48xlarge: not used → 3\n"
    result = run("budget", "set", "ml.p5.48xlarge=4", "--replace", "--yes")
    assert queue.calls[-1].body["budget"] == {"ml.p5.48xlarge": 4}
    assert result.stderr.splitlines() == ["ml.g5.xlarge: 2 → no longer used", "ml.p5.48xlarge: 3 → 4"]


@pytest.mark.parametrize(("answer", "changes"), [("y", True), ("n", False)])
def test_a_budget_is_changed_only_after_a_confirmation(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, answer: str, *, changes: bool
) -> None:
    assert run("budget", "set", "ml.g5.xlarge=4").exit_code == 2  # nobody can be asked
    monkeypatch.setattr("sagequeue.cli.queue.is_terminal", lambda: True)
    result = run("budget", "set", "ml.g5.xlarge=4", stdin=f"{answer}\n")
    assert "ml.g5.xlarge: 2 → 4\nChange the budget?" in result.stderr
    assert (queue.operators_budget is not None) == changes


def test_the_budget_is_set_and_reset(queue: FakeQueue) -> None:
    output = run("budget", "set", "ml.g5.xlarge=4", "ml.p5.48xlarge=0", "--stop-over-budget", "-y").stdout
    assert queue.calls[-1].body == {"budget": {"ml.g5.xlarge": 4, "ml.p5.48xlarge": 0}, "stop_over_budget": True}
    assert "Jobs over the budget are preempted." in output
    assert "changed by ada at 2026-11-21 10:00:00" in output
    assert json.loads(run("budget", "reset", "--json").stdout)["source"] == "parameter"


@pytest.mark.parametrize(
    "change",
    [
        {"budget": {"ml.g5.xlarge": 2, "ml.p5.48xlarge": 1}},
        {"source": "calendar"},
        {"stop_over_budget": True},
        {"changed_at": "2026-11-21T11:00:00Z"},
    ],
)
def test_a_budget_that_changes_during_the_question_is_kept(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, change: dict[str, object]
) -> None:
    monkeypatch.setattr("sagequeue.cli.queue.is_terminal", lambda: True)
    queue.overtaking = [lambda: setattr(queue, "operators_budget", change)]
    result = run("budget", "set", "ml.g5.xlarge=4", stdin="y\n")
    assert (result.exit_code, queue.operators_budget) == (1, change)
    assert "The budget has changed since the command read it. Run the command again." in result.stderr


def test_a_later_change_keeps_what_happens_to_jobs_over_the_budget_unless_the_option_is_given(queue: FakeQueue) -> None:
    def stops(*options: str) -> tuple[bool, str]:
        result = run("budget", "set", "ml.g5.xlarge=4", "--yes", *options)
        return queue.calls[-1].body["stop_over_budget"], result.stderr.splitlines()[-1]

    assert stops("--stop-over-budget") == (True, "jobs over the budget: finish → are preempted")
    assert stops() == (True, "The budget stays the same.")
    assert stops("--no-stop-over-budget") == (False, "jobs over the budget: are preempted → finish")


@pytest.mark.usefixtures("queue")
def test_json_may_also_be_asked_for_before_what_is_done_to_the_budget() -> None:
    assert json.loads(run("budget", "--json", "set", "ml.g5.xlarge=4", "--yes").stdout)["source"] == "operator"
    assert json.loads(run("budget", "--json", "reset").stdout)["source"] == "parameter"
    assert json.loads(run("budget", "--json", "ahead").stdout)["periods"] == []


PERIODS = [
    {
        "begins": "2026-11-21T10:00:00Z",
        "budget": {"ml.g5.xlarge": 2},
        "excess": {"ml.g5.xlarge": "preempt"},
        "windows": [],
    },
    {
        "begins": "2026-11-21T20:00:00Z",
        "budget": {"ml.g5.xlarge": 8},
        "excess": {"ml.g5.xlarge": "finish"},
        "windows": ["night"],
    },
]


def test_ahead_lists_the_budgets_to_come(queue: FakeQueue) -> None:
    queue.calendar["periods"] = PERIODS
    lines = [line.split() for line in run("budget", "ahead").stdout.splitlines()]
    assert lines[1] == ["now", "2", "×", "ml.g5.xlarge", "preempt"]
    assert lines[2][3:] == ["8", "×", "ml.g5.xlarge", "night", "finish"]
    assert json.loads(run("budget", "ahead", "--json").stdout)["periods"] == PERIODS


def test_a_calendar_on_hold_is_reported(queue: FakeQueue) -> None:
    queue.calendar["calendar_rests"] = True
    assert "The calendar is on hold" in run("budget", "ahead").stdout


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
        "refused: an operator has drained the queue",
        "1 pending",
        "vision",
        "1.5 weighted hours",
        "resnet",
        "ml.p5.48xlarge spot",
        "2026-11-21 12:02:00",
    ):
        assert words in output
    assert json.loads(run("queue", "--json").stdout) == client.queue()


def test_a_type_alone_is_not_changed_while_the_calendar_sets_the_budget(queue: FakeQueue) -> None:
    """Its window would still apply to all other types."""
    queue.operators_budget = {"budget": {"ml.g5.xlarge": 0}, "source": "calendar"}
    result = run("budget", "set", "ml.g5.xlarge=4", "--yes")
    assert (result.exit_code, "--replace" in result.stderr) == (2, True)
    assert all(call.method != "PUT" for call in queue.calls)
