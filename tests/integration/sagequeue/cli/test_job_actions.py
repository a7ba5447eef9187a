"""`sagequeue cancel`, `hold`, `release`, `prio`, `top` and `requeue`."""

import json

import pytest

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_request

RUNNING = 3 * STAGE_SECONDS


@pytest.fixture(autouse=True)
def three_jobs(client: QueueClient) -> None:
    for name in ("try-1", "try-2", "keep"):
        client.submit(a_request(name))


@pytest.fixture
def somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal, where questions can be answered."""
    monkeypatch.setattr("sagequeue.cli.job_actions.is_terminal", lambda: True)


def test_several_jobs_are_cancelled_by_name(queue: FakeQueue) -> None:
    assert run("cancel", "try-1", "try-2").exit_code == 0
    assert queue.cancelled == {"try-1", "try-2"}


def test_several_jobs_are_one_document_for_programs() -> None:
    assert [job["name"] for job in json.loads(run("cancel", "try-1", "try-2", "--json").stdout)] == ["try-1", "try-2"]


def test_a_job_that_is_refused_does_not_keep_the_others_from_being_changed(queue: FakeQueue) -> None:
    result = run("cancel", "other", "try-1", "--json")
    assert result.exit_code == 3
    assert "There is no job other." in result.stderr
    assert [job["name"] for job in json.loads(result.stdout)] == ["try-1"]
    assert queue.cancelled == {"try-1"}


def test_changes_are_printed_even_if_the_queue_becomes_unreachable(queue: FakeQueue) -> None:
    queue.overtaking = [lambda: queue.faults.extend([(503, {})] * 6)]
    result = run("hold", "try-1", "try-2", "--json")
    assert result.exit_code == 5
    assert [job["name"] for job in json.loads(result.stdout)] == ["try-1"]


def test_cancelling_by_filter_without_a_terminal_needs_yes(queue: FakeQueue) -> None:
    result = run("cancel", "--name", "try-")
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert queue.cancelled == set()


def test_cancelling_by_filter_takes_every_unfinished_job_that_fits(queue: FakeQueue) -> None:
    result = run("cancel", "--name", "try-", "--yes")
    assert result.exit_code == 0
    assert result.stdout == "try-1 cancelled\ntry-2 cancelled\n"
    assert queue.cancelled == {"try-1", "try-2"}
    assert "completed" not in queue.calls[-1].body["filter"]["state"]


def test_jobs_are_cancelled_by_the_instances_that_they_need(queue: FakeQueue) -> None:
    run("cancel", "--type", "ml.g5.xlarge", "--yes")
    assert queue.calls[-1].body["filter"]["instance_type"] == "ml.g5.xlarge"


@pytest.mark.usefixtures("somebody")
@pytest.mark.parametrize(("answer", "cancelled"), [("y", {"try-1", "try-2"}), ("n", set()), ("", set())])
def test_at_a_terminal_the_jobs_are_shown_and_asked_about(queue: FakeQueue, answer: str, cancelled: set[str]) -> None:
    result = run("cancel", "--name", "try-", stdin=f"{answer}\n")
    assert "try-1" in result.stderr
    assert "Cancel 2 jobs?" in result.stderr
    assert queue.cancelled == cancelled


@pytest.mark.usefixtures("somebody")
def test_a_filter_that_nothing_fits_asks_nothing() -> None:
    result = run("cancel", "--name", "other")
    assert (result.exit_code, result.stderr) == (0, "No jobs match.\n")


def test_jobs_that_were_not_cancelled_are_printed_and_set_the_exit_code(queue: FakeQueue, clock: Clock) -> None:
    clock.now = 8 * STAGE_SECONDS
    result = run("cancel", "--state", "completed", "--yes")
    assert result.exit_code == 1
    assert "try-1 not cancelled: try-1 has ended." in result.stderr


def test_many_jobs_are_cancelled_step_by_step(queue: FakeQueue) -> None:
    answers = [["a", "b"], ["c"]]
    queue.faults = [(200, {"cancelled": names, "refused": [], "more": names != ["c"]}) for names in answers]
    assert run("cancel", "--owner", "anna", "--yes").stdout == "a cancelled\nb cancelled\nc cancelled\n"


def test_many_cancelled_jobs_are_one_document_for_programs(queue: FakeQueue) -> None:
    queue.faults = [(200, {"cancelled": [name], "refused": [], "more": name != "b"}) for name in "ab"]
    answer = json.loads(run("cancel", "--owner", "anna", "--yes", "--json").stdout)
    assert answer == {"cancelled": ["a", "b"], "refused": [], "more": False}


def test_cancelling_ends_when_nothing_more_can_be_cancelled(queue: FakeQueue) -> None:
    refused = {"name": "x", "error": "already_finished", "message": "x has ended."}
    queue.faults = [(200, {"cancelled": [], "refused": [refused], "more": True})] * 2
    assert run("cancel", "--owner", "anna", "--yes").exit_code == 1
    assert len(queue.faults) == 1


@pytest.mark.parametrize("words", [(), ("try-1", "--state", "pending")])
def test_cancel_wants_names_or_a_filter_not_both(queue: FakeQueue, words: tuple[str, ...]) -> None:
    result = run("cancel", *words)
    assert result.exit_code == 2
    assert "Name jobs, or set a filter" in result.stderr


def test_jobs_are_held_and_released(client: QueueClient, queue: FakeQueue) -> None:
    assert run("hold", "try-1", "try-2").exit_code == 0
    assert queue.held == {"try-1", "try-2"}
    assert [job["state"] for job in json.loads(run("release", "try-1", "--json").stdout)] == ["pending"]
    assert queue.held == {"try-2"}


def test_releasing_a_job_that_is_not_held_shows_its_state() -> None:
    result = run("release", "keep")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: keep is pending.\nOnly a held job can be released")


@pytest.mark.parametrize("priority", ["7", "-7"])
def test_a_priority_is_changed_negative_ones_included(queue: FakeQueue, priority: str) -> None:
    assert run("prio", "keep", priority).exit_code == 0
    assert queue.priorities == {"keep": int(priority)}


def test_of_several_jobs_the_first_named_comes_to_the_top(queue: FakeQueue) -> None:
    assert run("top", "try-1", "try-2").exit_code == 0
    assert [call.path for call in queue.calls[-2:]] == ["/jobs/try-2/top", "/jobs/try-1/top"]


def test_a_running_job_is_requeued(queue: FakeQueue, clock: Clock) -> None:
    clock.now = RUNNING
    assert run("requeue", "keep").exit_code == 0
    assert queue.calls[-1].path == "/jobs/keep/requeue"
