"""`sagequeue ls`, `show`, `why`, `cancel` and `watch`, as tables and as JSON."""

import json
from importlib.metadata import version

import pytest

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_job, a_request, a_whole_life, an_attempt


def test_ls_shows_budget_place_priority_age_instances_and_reason(client: QueueClient) -> None:
    client.submit(a_request())
    output = run("ls").stdout
    assert "in use: 1 of 2 ml.g5.xlarge" in output
    for word in ("resnet", "pending", "4", "1 × ml.g5.xlarge", "because of waits_for_budget"):
        assert word in output


def test_ls_lists_waiting_jobs_in_order_and_notes_further_jobs(client: QueueClient) -> None:
    for number in range(3):
        client.submit(a_request(f"job-{number}"))
    output = run("ls", "--limit", "2").stdout
    assert output.index("job-0") < output.index("job-1")
    assert "job-2" not in output
    assert "More jobs exist: raise --limit (at most 200), or use `ls` with a filter or with --next." in output


def test_ls_looks_on_until_it_finds_one_that_fits(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    queue.faults = [(200, {"jobs": [], "next": "0", "budget": {}})]
    assert "resnet" in run("ls", "--name", "res").stdout
    assert "next=0" in queue.calls[-1].path


@pytest.mark.usefixtures("queue")
def test_ls_of_an_empty_queue_shows_a_sentence() -> None:
    assert "The queue has no jobs." in run("ls").stdout


def test_ls_as_json_is_what_the_api_answers(client: QueueClient) -> None:
    client.submit(a_request())
    assert json.loads(run("ls", "--json", "--state", "pending").stdout) == client.page(state="pending")


def test_ls_filters_and_continues_with_the_next_page(client: QueueClient, queue: FakeQueue) -> None:
    for number in range(3):
        client.submit(a_request(f"job-{number}"))
    first = json.loads(
        run("ls", "--state", "pending", "--state", "held", "--name", "job-", "--limit", "2", "--json").stdout
    )
    assert "state=pending%2Cheld&name=job-" in queue.calls[-1].path
    rest = json.loads(run("ls", "--limit", "2", "--next", first["next"], "--json").stdout)
    assert [job["name"] for job in rest["jobs"]] == ["job-2"]


def test_a_filter_that_no_job_fits_does_not_say_that_the_queue_is_empty(client: QueueClient, queue: FakeQueue) -> None:
    assert "The queue has no jobs." in run("ls").stdout
    client.submit(a_request())
    assert "No job matches." in run("ls", "--owner", "ada").stdout
    run("ls", "--mine")
    assert queue.calls[-1].path.startswith("/jobs?mine=true")
    assert " anna " in run("ls").stdout


def test_show_lists_every_attempt(client: QueueClient, clock: Clock) -> None:
    client.submit(a_request())
    clock.now = 7 * STAGE_SECONDS
    output = run("show", "resnet").stdout
    for words in ("resnet-sq-1", "preempted", "for urgent", "resnet-sq-2", "Training"):
        assert words in output
    assert json.loads(run("show", "resnet", "--json").stdout) == client.get("resnet")


def test_show_writes_a_comment_for_a_pull_request(client: QueueClient) -> None:
    client.submit(a_request())
    comment = run("show", "resnet", "--markdown").stdout
    assert comment.startswith("### SageQueue: `resnet` is pending\n")


@pytest.mark.usefixtures("queue")
def test_a_job_that_does_not_exist_has_its_own_exit_code() -> None:
    result = run("show", "other")
    assert result.exit_code == 3
    assert "There is no job other." in result.stderr


def test_why_shows_position_reason_and_expected_start(client: QueueClient) -> None:
    client.submit(a_request())
    output = run("why", "resnet").stdout
    for words in (
        "position   2",
        "because of waits_for_budget",
        "reason     waits_for_budget",
        "waits for  bert",
        "after bert",
        "priority      4",
    ):
        assert words in output
    assert json.loads(run("why", "resnet", "--json").stdout) == client.why("resnet")


def test_why_says_of_a_live_job_what_is_saved(client: QueueClient, queue: FakeQueue) -> None:
    queue.life = [a_job("running", attempts=[an_attempt(takes_notice=True, listens=True)])]
    client.submit(a_request())
    assert "none reported; the program reads stop notices" in " ".join(run("why", "resnet").stdout.split())


def test_cancel_stops_the_job(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    assert [job["state"] for job in json.loads(run("cancel", "resnet", "--json").stdout)] == ["stopped"]
    assert queue.cancelled == {"resnet"}


def test_cancel_of_a_finished_job_is_refused(client: QueueClient, clock: Clock) -> None:
    client.submit(a_request())
    clock.now = 8 * STAGE_SECONDS
    assert run("cancel", "resnet").exit_code == 1


def test_watch_until_empty_follows_the_job_to_its_end(
    client: QueueClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sagequeue.cli.jobs.time", clock)
    client.submit(a_request())
    result = run("watch", "--until-empty", "--every", "30", "--json")
    states = [json.loads(line)["jobs"][0]["state"] for line in result.stdout.splitlines()]
    assert states == [job["state"] for job in a_whole_life()]


def test_watch_in_a_pipe_prints_a_table_at_each_change(
    client: QueueClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sagequeue.cli.jobs.time", clock)
    client.submit(a_request())
    output = run("watch", "--until-empty", "--every", "10").stdout
    assert output.count("in use:") == len(a_whole_life())
    assert output.splitlines()[-1].split()[:2] == ["resnet", "completed"]
    assert output.endswith("\n")


def test_watch_until_empty_also_waits_for_jobs_that_are_not_shown(
    client: QueueClient, queue: FakeQueue, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sagequeue.cli.jobs.time", clock)
    client.submit(a_request("old"))
    client.submit(a_request("new"))
    queue.cancelled.add("new")
    run("watch", "--until-empty", "--every", "30", "--limit", "1", "--json")
    assert clock.now == 8 * STAGE_SECONDS


def test_watch_until_empty_also_waits_for_jobs_that_an_array_has_not_created_yet(
    client: QueueClient, queue: FakeQueue, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sagequeue.cli.jobs.time", clock)
    client.submit_array(a_request("sweep"), [{"lr": 0.1}] * 9)

    def end_after_a_minute() -> None:
        queue.overtaking.append(end_after_a_minute)
        if clock.now >= 60:
            queue.arrays["sweep"]["state"] = "ended"

    queue.overtaking = [end_after_a_minute]
    assert run("watch", "--until-empty", "--every", "30", "--json").exit_code == 0
    assert clock.now == 60


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [("queue", 4, "is not a URL"), ("http://127.0.0.1:9", 5, "cannot be reached")],
)
@pytest.mark.usefixtures("clock")
def test_a_queue_that_cannot_be_used_has_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, url: str, code: int, words: str
) -> None:
    monkeypatch.setenv("SAGEQUEUE_API_URL", url)
    result = run("ls")
    assert result.exit_code == code
    assert words in result.stderr


def test_a_profile_that_does_not_exist_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    result = run("ls")
    assert result.exit_code == 4
    assert "nobody" in result.stderr


def test_the_version_and_commands_of_other_packages_are_there() -> None:
    assert f"version {version('sagequeue')}" in run("--version").stdout
    assert "local" in run("--help").stdout
