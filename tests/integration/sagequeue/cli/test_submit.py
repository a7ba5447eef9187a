"""`sagequeue submit` and `whatif`: how a request is given, what is shown, and refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from unit.sagequeue.builders.jobs import a_job, a_request


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


def test_submitting_a_job_again_says_since_when_the_queue_has_it(queue: FakeQueue, request_file: str) -> None:
    assert run("submit", request_file, "--token", "t").stderr == ""
    again = "resnet was already submitted at 2026-11-21 10:00:00"
    repeated = run("submit", request_file)
    assert again in repeated.stderr
    assert "the queue already had this job" in repeated.stdout
    queue.life = queue.life[-1:]
    assert again in run("submit", request_file, "--token", "t").stderr


def test_submitting_an_ended_job_again_is_refused(queue: FakeQueue, request_file: str) -> None:
    run("submit", request_file)
    queue.life = queue.life[-1:]
    refused = run("submit", request_file)
    assert (refused.exit_code, "has ended" in refused.stderr) == (1, True)


def test_callbacks_come_from_a_file_and_are_not_shown(queue: FakeQueue, request_file: str, tmp_path: Path) -> None:
    on_end = tmp_path / "on_end.json"
    on_end.write_text('{"task_token": "secret"}')
    result = run("submit", request_file, "--on-end", str(on_end))
    assert (result.exit_code, queue.on_end) == (0, {"resnet": {"task_token": "secret"}})
    assert "secret" not in result.stdout + result.stderr
    on_end.write_text("secret")
    refused = run("submit", request_file, "--on-end", str(on_end))
    assert refused.exit_code == 2
    assert "secret" not in refused.stderr


@pytest.mark.parametrize("option", ["--job-name", "--team", "--token"])
def test_an_empty_value_submits_nothing(queue: FakeQueue, request_file: str, option: str) -> None:
    refused = run("submit", request_file, option, "")
    assert (refused.exit_code, queue.calls) == (2, [])
    assert "The value is empty. Give a value, or omit the option." in refused.stderr


def test_a_name_given_beside_the_request_replaces_its_own(queue: FakeQueue, request_file: str) -> None:
    assert run("submit", request_file, "--job-name", "ci-7").exit_code == 0
    assert queue.requests == {"ci-7": a_request("ci-7")}


def test_dependencies_are_given_by_name_or_in_slurms_words(queue: FakeQueue, request_file: str) -> None:
    run("submit", request_file, "--after-ok", "prep", "--after-ok", "fetch", "--if-never-satisfied", "cancel")
    assert queue.calls[-1].body["options"] == {"after_ok": ["prep", "fetch"], "if_never_satisfied": "cancel"}
    run("submit", request_file, "--dependency", "afterok:prep:fetch,afternotok:lint", "--after-any", "data")
    expected = {"after_ok": ["prep", "fetch"], "after_any": ["data"], "after_not_ok": ["lint"]}
    assert queue.calls[-1].body["options"] == expected


@pytest.mark.parametrize("text", ["singleton", "afterok", "afterok:", "afterok:prep,", "after:prep"])
def test_another_dependency_is_refused(queue: FakeQueue, request_file: str, text: str) -> None:
    refused = run("submit", request_file, "--dependency", text)
    assert (refused.exit_code, "afterok, afterany, afternotok" in refused.stderr.replace("\n", " ")) == (2, True)
    assert not queue.calls


def test_options_go_beside_the_request_which_stays_as_it_is(queue: FakeQueue) -> None:
    words = (
        "--priority",
        "0",
        "--never-preempt",
        "--idle-exempt",
        "--interactive",
        "--team",
        "vision",
        "--checkpoint-interval",
        "600",
        "--token",
        "build-17",
    )
    result = run("submit", "-", *words, "--json", stdin=json.dumps(a_request()))
    assert json.loads(result.stdout)["name"] == "resnet"
    flags = dict.fromkeys(("never_preempt", "idle_exempt", "interactive"), True)
    options = {"priority": 0, **flags, "checkpoint_interval": 600, "team": "vision"}
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
    assert run("submit", request_file, "--alternatives", given, "--order", "best").exit_code == 0
    assert queue.calls[-1].body == {"request": a_request(), "options": {"alternatives": alternatives, "order": "best"}}


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ("2-8", {"min": 2, "max": 8}),
        ("2-8/2", {"min": 2, "max": 8, "step": 2}),
        ('{"min": 2, "max": 4, "hyperparameters": {"2": {"lr": "1"}}}', None),
    ],
)
def test_the_numbers_of_instances_go_beside_the_request(
    queue: FakeQueue, request_file: str, given: str, option: dict[str, int] | None
) -> None:
    assert run("submit", request_file, "--instances", given).exit_code == 0
    assert queue.calls[-1].body == {"request": a_request(), "options": {"instances": option or json.loads(given)}}


@pytest.mark.parametrize("given", ["2", "[2, 8]", "file:///no/such/file"])
def test_what_is_no_range_of_instances_never_reaches_the_queue(queue: FakeQueue, request_file: str, given: str) -> None:
    result = run("submit", request_file, "--instances", given)
    assert result.exit_code == 2
    assert "--instances" in result.stderr
    assert queue.calls == []


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


def test_submit_and_wait_leaves_with_the_jobs_exit_code(queue: FakeQueue, request_file: str) -> None:
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


def test_whatif_tries_another_priority_than_that_of_the_tags(queue: FakeQueue) -> None:
    tags = [
        {"Key": "queue:priority", "Value": "1"},
        {"Key": "priority", "Value": "1"},
        {"Key": "queue:never-preempt", "Value": "true"},
        {"Key": "team", "Value": "nlp"},
    ]
    run("whatif", "-", "--priority", "9", stdin=json.dumps(a_request(Tags=tags)))
    assert queue.calls[-1].body == {"request": a_request(Tags=tags[2:]), "options": {"priority": 9}}


@pytest.mark.parametrize("command", ["submit", "whatif"])
@pytest.mark.parametrize(
    "change",
    [
        {"InputDataConfig": {"train": {}}},
        {"InputDataConfig": None},
        {"InputDataConfig": ["code"]},
        {"InputDataConfig": [{"ChannelName": "code", "DataSource": None}]},
        {"InputDataConfig": [{"ChannelName": "code", "DataSource": {"S3DataSource": {"S3Uri": 7}}}]},
        {"InputDataConfig": [{"ChannelName": ["code"]}]},
        {"HyperParameters": [1]},
        {"HyperParameters": {"sagemaker_submit_directory": 7}},
        {"HyperParameters": {"sagemaker_submit_directory": "s3://[code"}},
        {"TrainingJobDefinition": None},
        {"Tags": {"a": "b"}},
        {"Tags": None},
        {"Tags": ["a"]},
        {"Tags": [{"Key": ["a"]}]},
    ],
)
def test_a_request_of_another_structure_reaches_the_queue_which_refuses_it(
    queue: FakeQueue, command: str, change: dict[str, Any]
) -> None:
    refusal = {"error": "invalid_request", "message": "It is no list.", "field": "Tags", "remedy": "Give a list."}
    queue.faults = [(400, refusal)]
    request = a_request(**{"Tags": []} | change)
    result = run(command, "-", "--priority", "9", stdin=json.dumps(request))
    assert (result.exit_code, result.stderr) == (1, "Error: It is no list.\nGive a list.\n")
    assert queue.calls[-1].body["request"] == request


@pytest.mark.parametrize("text", ["{not json", "[]"])
def test_submit_of_something_else_than_a_json_object_is_wrong_usage(queue: FakeQueue, text: str) -> None:
    result = run("submit", "-", stdin=text)
    assert result.exit_code == 2
    assert "is not" in result.stderr
    assert queue.calls == []


def test_submit_refuses_json_that_is_nested_too_deeply(queue: FakeQueue) -> None:
    result = run("submit", "-", stdin='{"a":' * 100_000)
    assert result.exit_code == 2
    assert "is not valid JSON" in result.stderr
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
