"""`sagequeue submit`, `ls`, `show`, `why` and `whatif`, as tables and as JSON."""

import json
from pathlib import Path

import pytest

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_job, a_request, a_whole_life


@pytest.fixture
def request_file(tmp_path: Path) -> str:
    path = tmp_path / "request.json"
    path.write_text(json.dumps(a_request()))
    return str(path)


def test_submit_shows_where_the_job_stands(queue: FakeQueue, request_file: str) -> None:
    result = run("submit", request_file)
    assert result.exit_code == 0
    assert "pending" in result.stdout
    assert queue.requests["resnet"] == a_request()


def test_submitting_an_ended_job_again_reports_that_it_is_not_new(queue: FakeQueue, request_file: str) -> None:
    assert run("submit", request_file).stderr == ""
    queue.life = queue.life[-1:]
    assert "resnet is an earlier job" in run("submit", request_file).stderr


def test_options_go_beside_the_request_which_stays_as_it_is(queue: FakeQueue) -> None:
    words = (
        "--priority",
        "0",
        "--never-preempt",
        "--idle-exempt",
        "--checkpoint-interval",
        "600",
        "--token",
        "build-17",
    )
    result = run("submit", "-", *words, "--json", stdin=json.dumps(a_request()))
    assert json.loads(result.stdout)["name"] == "resnet"
    options = {"priority": 0, "never_preempt": True, "idle_exempt": True, "checkpoint_interval": 600}
    assert queue.calls[-1].body == {"request": a_request(), "options": options, "client_token": "build-17"}


def test_a_job_can_be_held_from_the_start(queue: FakeQueue, request_file: str) -> None:
    assert "held" in run("submit", request_file, "--hold").stdout


@pytest.mark.parametrize("form", ["text", "file"])
def test_submit_takes_the_request_as_the_aws_cli_does(queue: FakeQueue, request_file: str, form: str) -> None:
    given = json.dumps(a_request()) if form == "text" else f"file://{request_file}"
    assert run("submit", "--cli-input-json", given).exit_code == 0
    assert queue.requests["resnet"] == a_request()


@pytest.mark.parametrize("form", ["text", "file"])
def test_alternatives_go_beside_the_request(queue: FakeQueue, request_file: str, tmp_path: Path, form: str) -> None:
    alternatives = [{"request": {"ResourceConfig": {"InstanceCount": 2}}, "wait_for_better": 600}]
    path = tmp_path / "alternatives.json"
    path.write_text(json.dumps(alternatives))
    given = path.read_text() if form == "text" else f"file://{path}"
    assert run("submit", request_file, "--alternatives", given).exit_code == 0
    assert queue.calls[-1].body == {"request": a_request(), "options": {"alternatives": alternatives}}


@pytest.mark.parametrize("given", ["{}", "[1", "file:///no/such/file"])
def test_alternatives_that_are_no_list_never_reach_the_queue(queue: FakeQueue, request_file: str, given: str) -> None:
    result = run("submit", request_file, "--alternatives", given)
    assert result.exit_code == 2
    assert "--alternatives" in result.stderr
    assert queue.calls == []


@pytest.mark.parametrize("words", [(), ("-", "--cli-input-json", "{}"), ("--cli-input-json", "file:///no/such/file")])
def test_a_request_must_be_given_once_and_be_there(queue: FakeQueue, words: tuple[str, ...]) -> None:
    result = run("submit", *words, stdin="{}")
    assert result.exit_code == 2
    assert "Give the request once" in result.stderr or "No such file" in result.stderr
    assert queue.calls == []


def test_submit_and_wait_leaves_with_the_jobs_exit_code(
    queue: FakeQueue, clock: Clock, monkeypatch: pytest.MonkeyPatch, request_file: str
) -> None:
    monkeypatch.setattr("sagequeue.cli.progress.time", clock)
    queue.life = [*queue.life[:-1], a_job("failed", "failed")]
    result = run("submit", request_file, "--wait", "--json")
    assert result.exit_code == 10
    assert json.loads(result.stdout)["state"] == "failed"


def test_whatif_shows_the_start_and_the_jobs_to_preempt(queue: FakeQueue, request_file: str) -> None:
    output = run("whatif", request_file, "--priority", "9").stdout
    assert "preempts  bert" in output
    assert "after bert" in output
    assert json.loads(run("whatif", request_file, "--json").stdout)["behind"] == 2
    assert queue.requests == {}


@pytest.mark.parametrize("text", ["{not json", "[]"])
def test_submit_of_something_else_than_a_json_object_is_wrong_usage(queue: FakeQueue, text: str) -> None:
    result = run("submit", "-", stdin=text)
    assert result.exit_code == 2
    assert "is not" in result.stderr
    assert queue.calls == []


def test_submit_refuses_json_that_is_nested_too_deeply(queue: FakeQueue) -> None:
    result = run("submit", "-", stdin='{"a":' * 100_000)
    assert result.exit_code == 2
    assert "is not readable JSON" in result.stderr
    assert queue.calls == []


def test_a_refused_submission_is_one_message_with_its_remedy(queue: FakeQueue) -> None:
    result = run("submit", "-", stdin="{}")
    assert result.exit_code == 1
    assert result.stderr == "Error: ResourceConfig is missing.\nDo it otherwise.\n"
    assert result.stdout == ""


def test_every_broken_rule_is_shown_with_its_remedy(queue: FakeQueue, request_file: str) -> None:
    violations = [
        {"rule": rule, "field": None, "message": "No", "remedy": f"Mend {rule}."} for rule in ("spot", "tags")
    ]
    refusal = {"error": "rule_violated", "message": "It breaks 2 rules.", "field": None, "remedy": "Mend each."}
    queue.faults = [(422, {**refusal, "violations": violations})]
    result = run("submit", request_file)
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "spot: No. Mend spot.",
        "tags: No. Mend tags.",
        "Error: It breaks 2 rules.",
        "Mend each.",
    ]


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
    assert "More jobs exist" in output


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


def test_show_lists_every_attempt(client: QueueClient, clock: Clock) -> None:
    client.submit(a_request())
    clock.now = 7 * STAGE_SECONDS
    output = run("show", "resnet").stdout
    for words in ("resnet-sq-1", "preempted", "for urgent", "resnet-sq-2", "Training"):
        assert words in output
    assert json.loads(run("show", "resnet", "--json").stdout) == client.get("resnet")


@pytest.mark.usefixtures("queue")
def test_a_job_that_does_not_exist_has_its_own_exit_code() -> None:
    result = run("show", "other")
    assert result.exit_code == 3
    assert "There is no job other." in result.stderr


def test_why_shows_position_reason_and_expected_start(client: QueueClient) -> None:
    client.submit(a_request())
    output = run("why", "resnet").stdout
    for words in ("position   2", "because of waits_for_budget", "waits for  bert", "after bert", "priority         4"):
        assert words in output
    assert json.loads(run("why", "resnet", "--json").stdout) == client.why("resnet")


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
    assert "version 0.1.0" in run("--version").stdout
    assert "local" in run("--help").stdout
