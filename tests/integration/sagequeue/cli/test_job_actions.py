"""`sagequeue cancel`, `hold`, `release`, `prio`, `top` and `requeue`."""

import json
from typing import Any

import pytest

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

RUNNING = 3 * STAGE_SECONDS


@pytest.fixture(autouse=True)
def three_jobs(client: QueueClient) -> None:
    for name in ("try-1", "try-2", "keep"):
        client.submit(a_request(name))


@pytest.fixture
def somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal, where questions can be answered."""
    monkeypatch.setattr("sagequeue.cli.changes.job_actions.is_terminal", lambda: True)


def progress(changed: list[str], left: int) -> dict[str, Any]:
    return {
        "changed": changed,
        "refused": [],
        "left": left,
        "is_left_exact": True,
        "next": "further" if left else None,
    }


def test_several_jobs_are_cancelled_by_name(queue: FakeQueue) -> None:
    assert run("cancel", "try-1", "try-2").exit_code == 0
    assert queue.cancelled == {"try-1", "try-2"}


def test_a_cancel_asks_for_time_to_save_only_if_told(queue: FakeQueue) -> None:
    run("cancel", "try-1")
    run("cancel", "try-2", "--save-first")
    run("cancel", "--name", "keep", "--save-first", "--yes")
    sent = [call.raw for call in queue.calls if call.path.endswith(("/cancel", "/change-jobs"))]
    assert [b'"save_first"' in raw for raw in sent] == [False, True, True]


@pytest.mark.parametrize("option", ["--owner", "--team", "--name", "--type"])
def test_an_empty_filter_does_not_mean_all_jobs(option: str, queue: FakeQueue) -> None:
    result = run("cancel", "--state", "pending", option, "", "--yes")
    assert result.exit_code == 2
    assert "The value is empty. Give a value, or omit the option." in result.stderr
    assert queue.cancelled == set()


def test_a_change_of_matching_jobs_takes_as_many_with_each_call_as_the_api_allows(queue: FakeQueue) -> None:
    run("hold", "--name", "try", "--yes")
    (sent,) = [json.loads(call.raw) for call in queue.calls if call.path.endswith("/change-jobs")]
    assert sent["limit"] == 200


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


def test_jobs_that_were_not_cancelled_are_printed_and_set_the_exit_code(queue: FakeQueue) -> None:
    queue.faults = [(200, progress([], 0) | {"refused": [{"name": "x", "error": "e", "message": "x has ended."}]})]
    result = run("cancel", "--name", "x", "--yes")
    assert result.exit_code == 1
    assert "x not cancelled: x has ended." in result.stderr


@pytest.mark.parametrize("words", [("cancel",), ("requeue", "--state", "failed"), ("approve",)])
def test_a_filter_that_nothing_fits_says_so(queue: FakeQueue, words: tuple[str, ...]) -> None:
    result = run(*words, "--name", "other", "--yes")
    assert (result.exit_code, result.stderr) == (0, "No jobs match.\n")


def test_a_failed_change_does_not_say_that_no_jobs_match(queue: FakeQueue) -> None:
    queue.faults = [(503, {})] * 6
    result = run("cancel", "--name", "try-", "--yes")
    assert (result.exit_code, "No jobs match." in result.stderr) == (5, False)


def test_an_interrupted_change_says_that_its_last_call_may_change_more_jobs(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(QueueClient, "change_matching", interrupt)
    result = run("cancel", "--name", "try-", "--yes")
    assert (result.exit_code, result.stderr) == (
        130,
        "Stopped. Jobs changed: 0. The last call may still change up to 200 more jobs: check with `sagequeue ls`.\n",
    )


def test_a_change_that_fails_later_still_prints_the_jobs_that_were_changed(queue: FakeQueue) -> None:
    queue.faults = [(200, progress(["a"], 1)), *[(503, {})] * 6]
    result = run("cancel", "--owner", "anna", "--yes")
    assert (result.exit_code, result.stdout) == (5, "a cancelled\n")


def test_states_to_which_a_change_does_not_apply_are_refused() -> None:
    result = run("cancel", "--state", "completed", "--yes")
    assert result.exit_code == 2
    assert "Use --state held, launching" in result.stderr


def test_many_jobs_are_cancelled_step_by_step(queue: FakeQueue) -> None:
    answers = [["a", "b"], ["c"]]
    queue.faults = [(200, progress(names, 0 if names == ["c"] else 1)) for names in answers]
    result = run("cancel", "--owner", "anna", "--yes")
    assert result.stdout == "a cancelled\nb cancelled\nc cancelled\n"
    assert result.stderr == "2 cancelled, 1 left\n"
    assert [call.body.get("next") for call in queue.calls[-2:]] == [None, "further"]


def test_many_cancelled_jobs_are_one_document_for_programs(queue: FakeQueue) -> None:
    queue.faults = [(200, progress([name], 1 if name == "a" else 0)) for name in "ab"]
    answer = json.loads(run("cancel", "--owner", "anna", "--yes", "--json").stdout)
    assert answer == {"changed": ["a", "b"], "refused": []}


def test_jobs_that_refuse_do_not_keep_later_ones_from_being_cancelled(queue: FakeQueue) -> None:
    refused = {"name": "x", "error": "already_finished", "message": "x has ended."}
    queue.faults = [(200, progress([], 1) | {"refused": [refused]}), (200, progress(["y"], 0))]
    result = run("cancel", "--owner", "anna", "--yes")
    assert (result.exit_code, result.stdout, queue.faults) == (1, "y cancelled\n", [])


@pytest.mark.parametrize(
    ("words", "state"),
    [
        (("hold",), ["pending", "preempted"]),
        (("release",), ["held"]),
        (("prio", "-3"), ["held", "launching", "parked", "pending", "preempted", "running", "stopping"]),
    ],
)
def test_every_action_takes_a_filter(queue: FakeQueue, words: tuple[str, ...], state: list[str]) -> None:
    queue.faults = [(200, progress(["a"], 0))]
    assert run(*words, "--team", "nlp", "--mine", "--yes").exit_code == 0
    body = queue.calls[-1].body
    assert sorted(body["filter"].pop("state")) == state
    assert body["filter"] == {"team": "nlp", "mine": True}
    assert body.get("priority") == (-3 if words[0] == "prio" else None)


def test_a_requeue_by_filter_names_each_job_with_its_attempt(queue: FakeQueue) -> None:
    queue.life = [a_job("failed", attempts=[an_attempt(2, "failed")])]
    result = run("requeue", "--name", "try-", "--state", "failed", "--state", "running", "--yes")
    assert (result.exit_code, result.stdout) == (0, "try-1 requeued\ntry-2 requeued\n")
    assert queue.calls[-1].body == {
        "change": "requeue",
        "names": ["try-1", "try-2"],
        "attempts": {"try-1": 2, "try-2": 2},
    }


@pytest.mark.usefixtures("somebody")
@pytest.mark.parametrize("command", ["cancel", "requeue --state failed"])
def test_the_question_names_only_jobs_that_the_caller_may_change(queue: FakeQueue, command: str) -> None:
    state = "failed" if "failed" in command else "pending"
    queue.life = [a_job(state, attempts=[an_attempt(1, "failed")])]
    queue.of_others = {"try-1"}
    result = run(*command.split(), "--name", "try-", stdin="y\n")
    assert "Skipped: 1 job that you are not allowed to change." in result.stderr
    assert "  try-2\n" in result.stderr
    assert "  try-1\n" not in result.stderr
    assert f"{command.split()[0].capitalize()} 1 job?" in result.stderr


@pytest.mark.usefixtures("somebody")
def test_jobs_of_others_only_are_not_asked_about(queue: FakeQueue) -> None:
    queue.of_others = {"try-1", "try-2"}
    result = run("cancel", "--name", "try-")
    assert (result.exit_code, queue.cancelled) == (0, set())
    assert result.stderr == "Skipped: 2 jobs that you are not allowed to change.\nNo jobs match.\n"


def test_a_requeue_by_filter_needs_states() -> None:
    result = run("requeue", "--team", "nlp", "--yes")
    assert result.exit_code == 2
    assert "--state" in result.stderr


@pytest.mark.parametrize("words", [(), ("try-1", "--state", "pending")])
def test_cancel_wants_names_or_a_filter_not_both(queue: FakeQueue, words: tuple[str, ...]) -> None:
    result = run("cancel", *words)
    assert result.exit_code == 2
    assert "Give either job names or a filter" in result.stderr


def test_jobs_are_held_and_released(client: QueueClient, queue: FakeQueue) -> None:
    assert run("hold", "try-1", "try-2").exit_code == 0
    assert queue.held == {"try-1", "try-2"}
    assert [job["state"] for job in json.loads(run("release", "try-1", "--json").stdout)] == ["pending"]
    assert queue.held == {"try-2"}


def test_releasing_a_job_that_is_not_held_shows_its_state() -> None:
    result = run("release", "keep")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: keep is pending.\nOnly held jobs can be released")


@pytest.mark.parametrize("priority", ["7", "-7"])
def test_a_priority_is_changed_negative_ones_included(queue: FakeQueue, priority: str) -> None:
    assert run("prio", "keep", priority).exit_code == 0
    assert queue.priorities == {"keep": int(priority)}


def test_of_several_jobs_the_first_named_comes_to_the_top(queue: FakeQueue) -> None:
    assert run("top", "try-1", "try-2").exit_code == 0
    assert [call.path for call in queue.calls[-2:]] == ["/jobs/try-2/top", "/jobs/try-1/top"]


def parked(queue: FakeQueue, **changes: Any) -> None:
    queue.life = [a_job("parked", "needs_approval", **changes)]


@pytest.mark.usefixtures("somebody")
def test_matching_jobs_are_approved_with_the_time_limits_that_the_approver_has_seen(queue: FakeQueue) -> None:
    own = {"instances": {"ml.g5.xlarge": 1}, "spot": False, "max_runtime": 86400, "wait_for_better": 0}
    longer = {"instances": {"ml.p4d.24xlarge": 8}, "spot": True, "max_runtime": 90000, "wait_for_better": 0}
    parked(queue, choices=[own, longer])
    result = run("approve", "--name", "try", stdin="y\n")
    assert result.exit_code == 0
    assert "  try-1: 1 × ml.g5.xlarge or 8 × ml.p4d.24xlarge spot, for up to 1d 1h\n  try-2: " in result.stderr
    assert "Approve 2 jobs?" in result.stderr
    assert result.stdout == "try-1 approved\ntry-2 approved\n"
    sent = queue.calls[-1].body
    assert sent == {"change": "approve", "names": ["try-1", "try-2"], "max_runtimes": {"try-1": 90000, "try-2": 90000}}


def test_more_jobs_than_one_call_takes_are_changed_in_several(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sagequeue.cli.changes.job_actions._MOST_NAMED", 1)
    parked(queue)
    result = run("approve", "--name", "try", "--yes")
    assert result.stdout == "try-1 approved\ntry-2 approved\n"
    assert [call.body["names"] for call in queue.calls if call.path == "/change-jobs"] == [["try-1"], ["try-2"]]


def test_no_longer_time_limit_than_the_given_one_is_approved(queue: FakeQueue) -> None:
    parked(queue)
    run("approve", "--name", "keep", "--max-runtime", "3600", "--yes")
    assert queue.calls[-1].body["max_runtimes"] == {"keep": 3600}
    run("approve", "--name", "keep", "--max-runtime", "90000", "--yes")
    assert queue.calls[-1].body["max_runtimes"] == {"keep": 86400}


def test_a_filter_approves_only_jobs_that_need_it(queue: FakeQueue) -> None:
    queue.life = [a_job("parked", "rule_violated")]
    result = run("approve", "--name", "try", "--yes")
    assert (result.exit_code, result.stderr, queue.approved) == (0, "No jobs match.\n", set())
    assert run("approve", "--name", "try", "--state", "running", "--yes").exit_code == 2
    assert run("approve", "--name", "try").exit_code == 2  # nobody can answer the question
    assert run("approve").exit_code == 2
    assert queue.approved == set()


def test_several_jobs_are_approved(queue: FakeQueue) -> None:
    assert run("approve", "try-1", "try-2").exit_code == 0
    assert queue.approved == {"try-1", "try-2"}


def test_an_approval_sends_the_longest_time_limit_that_it_allows(queue: FakeQueue) -> None:
    assert run("approve", "try-1", "--max-runtime", "3600").exit_code == 0
    assert (queue.calls[-1].path, queue.calls[-1].body) == ("/jobs/try-1/approve", {"max_runtime": 3600})


def test_a_running_job_is_requeued(queue: FakeQueue, clock: Clock) -> None:
    clock.now = RUNNING
    assert run("requeue", "keep").exit_code == 0
    assert queue.calls[-1].path == "/jobs/keep/requeue"


def test_an_update_sends_what_it_names_and_resets_what_it_should(queue: FakeQueue) -> None:
    words = (
        "--max-runtime",
        "7200",
        "--no-never-preempt",
        "--notify",
        "end",
        "--team",
        "vision",
        "--reset",
        "deadline",
    )
    assert run("update", "keep", *words).exit_code == 0
    options = {"never_preempt": False, "notify": ["end"], "team": "vision", "deadline": None}
    assert queue.updates == {"keep": {"options": options, "max_runtime": 7200}}


@pytest.mark.parametrize("words", [(), ("--deadline", "2026-12-01T18:00Z", "--reset", "deadline")])
def test_an_update_without_a_change_or_with_two_of_one_option_is_refused(
    queue: FakeQueue, words: tuple[str, ...]
) -> None:
    assert run("update", "keep", *words).exit_code == 2
    assert queue.updates == {}
