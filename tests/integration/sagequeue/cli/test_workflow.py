"""`sagequeue submit workflow.yaml`: all jobs and arrays of a file are submitted in order, or none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from support.checkout import CHECKOUT
from unit.sagequeue.builders.jobs import a_request

REQUEST = a_request("any")
TEMPLATE = a_request("any", HyperParameters={"lr": "${lr}"})


@pytest.fixture
def workflow() -> dict[str, Any]:
    return {
        "name": "nightly",
        "jobs": {
            "report": {"request": REQUEST, "after_any": ["train"], "options": {"if_never_satisfied": "cancel"}},
            "train": {
                "request": a_request(HyperParameters={"lr": "${lr}"}),
                "array": {"lr": [0.1, 0.01]},
                "at_most": 1,
                "after_ok": ["prep"],
            },
            "prep": {"request": "prep.json", "options": {"priority": 5}},
        },
    }


def written(folder: Path, workflow: object) -> str:
    (folder / "prep.json").write_text(json.dumps(REQUEST))
    file = folder / "workflow.yaml"
    file.write_text(workflow if isinstance(workflow, str) else yaml.safe_dump(workflow, sort_keys=False))
    return str(file)


def sent(queue: FakeQueue) -> list[tuple[str, dict[str, Any]]]:
    """Returns the submissions and cancellations that the queue got, without forecasts."""
    calls = [call for call in queue.calls if call.method == "POST" and not call.path.endswith("what-if")]
    return [(call.path.strip("/"), call.body if call.raw else {}) for call in calls]


def names(queue: FakeQueue) -> list[str]:
    return [body["request"]["TrainingJobName"] for _, body in sent(queue)]


def test_each_step_is_submitted_after_those_for_which_it_waits(
    queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path
) -> None:
    done = run("submit", written(tmp_path, workflow))
    assert done.stdout.splitlines() == [
        "nightly-prep: pending",
        "nightly-train: active, 2 jobs",
        "nightly-report: pending",
    ]
    assert names(queue) == ["nightly-prep", "nightly-train", "nightly-report"]
    (_, prep), (_, train), (_, report) = sent(queue)
    assert prep["options"] == {"priority": 5}
    assert (train["options"], train["at_most"]) == ({"after_ok": ["nightly-prep"]}, 1)
    assert report["options"] == {"if_never_satisfied": "cancel", "after_any": ["nightly-train"]}


def test_a_model_has_the_name_of_its_job_in_the_queue(
    queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path
) -> None:
    reads = {"MODEL": "${jobs.prep.model}"}
    workflow["jobs"]["train"]["request"]["Environment"] = reads
    run("submit", written(tmp_path, workflow))
    (_, train) = [body for _, body in sent(queue)][:2]
    assert train["request"]["Environment"] == {"MODEL": "${jobs.nightly-prep.model}"}
    checks = [call.body["request"] for call in queue.calls if call.path.endswith("what-if")]
    assert [check["Environment"] for check in checks if "Environment" in check] == [
        {"MODEL": "s3://bucket/model.tar.gz"}
    ]
    del workflow["jobs"]["train"]["after_ok"]
    failed = run("submit", written(tmp_path, workflow))
    assert "has the placeholder ${jobs.prep.model}. Add prep to after_ok." in failed.output


def test_a_model_can_be_in_the_options_too(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    report = workflow["jobs"]["report"]
    report["after_ok"], report["options"] = ["prep"], {"alternatives": [alternative("${jobs.prep.model}")]}
    run("submit", written(tmp_path, workflow))
    assert sent(queue)[-1][1]["options"]["alternatives"] == [alternative("${jobs.nightly-prep.model}")]
    checks = [call.body.get("options") for call in queue.calls if call.path.endswith("what-if")]
    assert {"alternatives": [alternative("s3://bucket/model.tar.gz")]} in checks
    del report["after_ok"]
    failed = run("submit", written(tmp_path, workflow))
    assert "jobs.report.options has the placeholder ${jobs.prep.model}. Add prep to after_ok." in failed.output


def alternative(model: str) -> dict[str, Any]:
    return {"request": {"HyperParameters": {"model": model}}}


def test_the_queue_checks_each_request_before_the_first_submission(
    queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path
) -> None:
    run("submit", written(tmp_path, workflow))
    checks = [call.body for call in queue.calls if call.path.endswith("what-if")]
    assert [check["request"]["TrainingJobName"] for check in checks] == [
        "nightly-prep",
        "nightly-train-0",
        "nightly-report",
    ]
    assert checks[1]["request"]["HyperParameters"] == {"lr": "0.1"}
    assert [check.get("options") for check in checks] == [{"priority": 5}, None, None]  # the others do not exist yet


def test_a_repeated_submission_sends_the_same_tokens(
    queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path
) -> None:
    file = written(tmp_path, workflow)
    run("submit", file)
    first = [body["client_token"] for _, body in sent(queue)]
    queue.calls.clear()
    done = run("submit", file)
    assert (done.exit_code, "nightly-prep: pending, submitted before" in done.stdout) == (0, True)
    assert [body["client_token"] for _, body in sent(queue)] == first
    assert len({*first}) == 3


def test_a_changed_step_has_another_token(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    run("submit", written(tmp_path, workflow))
    first = {body["request"]["TrainingJobName"]: body["client_token"] for _, body in sent(queue)}
    workflow["jobs"]["report"]["options"] = {"priority": 9}
    queue.calls.clear()
    run("submit", written(tmp_path, workflow))
    second = {body["request"]["TrainingJobName"]: body["client_token"] for _, body in sent(queue)}
    assert {name for name in first if first[name] != second[name]} == {"nightly-report"}


def test_a_refused_request_submits_nothing(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    workflow["jobs"]["report"]["request"] = {"RoleArn": "x"}
    workflow["jobs"]["train"]["request"] = {**TEMPLATE, "ResourceConfig": {"InstanceCount": 3}}
    done = run("submit", written(tmp_path, workflow))
    assert done.exit_code == 1
    assert "jobs.report was refused: ResourceConfig is missing" in done.stderr
    assert "jobs.train was refused: It needs more than the whole budget" in done.stderr
    assert sent(queue) == []


def test_a_late_refusal_cancels_what_was_submitted(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    workflow["jobs"]["report"]["after_any"] = ["prep", "train"]
    queue.requests["nightly-report"] = a_request("nightly-report", RoleArn="of another job")
    done = run("submit", written(tmp_path, workflow))
    assert done.exit_code == 1
    assert "Cancelled nightly-prep, nightly-train. The queue uses a name only once" in done.stderr
    assert [path for path, _ in sent(queue)[-2:]] == ["arrays/nightly-train/cancel", "jobs/nightly-prep/cancel"]


def test_a_late_refusal_names_what_it_could_not_cancel(
    queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path
) -> None:
    workflow["jobs"]["report"]["after_any"] = ["prep", "train"]
    queue.requests["nightly-report"] = a_request("nightly-report", RoleArn="of another job")
    checks_and_submissions: list[Callable[[], object]] = [int] * 5
    queue.overtaking = [*checks_and_submissions, lambda: queue.faults.append((403, {"message": "not authorized"}))]
    done = run("submit", written(tmp_path, workflow))
    assert done.exit_code == 1
    assert "Cancelled nightly-prep. Could not cancel nightly-train: cancel these yourself." in done.stderr
    assert "The name belongs to another job." in done.stderr


def test_a_late_refusal_leaves_what_an_earlier_call_has_submitted(
    queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path
) -> None:
    run("submit", written(tmp_path, {**workflow, "jobs": {"prep": workflow["jobs"]["prep"]}}))
    del workflow["jobs"]["train"]
    workflow["jobs"]["report"]["after_any"] = ["prep"]
    queue.requests["nightly-report"] = a_request("nightly-report", RoleArn="of another job")
    done = run("submit", written(tmp_path, workflow))
    assert (done.exit_code, "Cancelled" in done.stderr, queue.cancelled) == (1, False, set())


WRONG = """\
name: my workflow
jobs:
  prep:
    request: missing.json
    at_most: 3
    afterok: [train]
  train:
    request: {HyperParameters: {lr: "${rate}"}}
    array: {lr: [0.1]}
    after_ok: [perp, 7, [prep]]
    options: {after_ok: [prep]}
  report:
    array: []
    request: {}
"""


def test_each_problem_is_shown_with_its_line(queue: FakeQueue, tmp_path: Path) -> None:
    file = written(tmp_path, WRONG)
    done = run("submit", file)
    shown = [line.removeprefix(f"{file}:") for line in done.stderr.splitlines()[1:-1]]
    assert shown == [
        '1: name is "my workflow". Use letters, digits and hyphens.',
        f"4: jobs.prep.request names {tmp_path}/missing.json, which cannot be read: No such file or directory. "
        "Check the path.",
        "5: jobs.prep.at_most needs an array. Add one, or remove this member.",
        "6: jobs.prep.afterok is not a known member. Did you mean after_ok?",
        "8: jobs.train.request does not use lr. Put ${lr} into a hyperparameter.",
        "8: jobs.train.request has the placeholder ${rate}. Add rate to the array, or write $${rate}.",
        '10: jobs.train.after_ok[0] is "perp", which is not a job of this file. Did you mean prep?',
        "10: jobs.train.after_ok[1] is 7, which is not a job of this file. Add it.",
        '10: jobs.train.after_ok[2] is ["prep"], which is not a job of this file. Did you mean prep?',
        "11: jobs.train.options.after_ok is not an option here. Write it next to the request.",
        '13: jobs.report.array describes no jobs. Write a matrix such as {"lr": [0.1, 0.01]}, or a list of objects.',
    ]
    assert (done.exit_code, queue.calls) == (1, [])


def checkpoints(name: str) -> dict[str, Any]:
    return {"CheckpointConfig": {"S3Uri": f"s3://bucket/checkpoints/{name}"}}


@pytest.mark.parametrize(
    ("array", "changes", "problem"),
    [
        ({"lr": [1], "seed": [1]}, {}, "request does not use seed. Put ${seed} into a hyperparameter."),
        ({"lr": [1, 2]}, checkpoints("same"), "request has the same checkpoints for several jobs."),
        ([{"lr": 1}, {"lr": 1}], checkpoints("${lr}"), "request has the same checkpoints for several jobs."),
        ({"lr": [1]}, {"RoleArn": "${lr}"}, "request has a placeholder in RoleArn. Use placeholders in"),
        ({"lr": [*range(10_001)]}, {}, "array describes 10,001 jobs. Describe at most 10,000."),
        ([{"lr": 1}, {"rate": 1}], {}, "array has sets with different names."),
        ({"lr": [[1]]}, {}, "array has a value of another type."),
        ({"lr": [1], "index": [1]}, {}, "array has a parameter with the name index"),
    ],
    ids=[
        "unused parameter",
        "fixed checkpoints",
        "equal checkpoints",
        "wrong place",
        "too many jobs",
        "different names",
        "wrong value",
        "reserved name",
    ],
)
def test_problems_of_an_array_are_shown_before_the_first_submission(
    queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path, array: object, changes: dict[str, Any], problem: str
) -> None:
    workflow["jobs"]["train"]["array"] = array
    workflow["jobs"]["train"]["request"] |= changes
    done = run("submit", written(tmp_path, workflow))
    assert (done.exit_code, queue.calls) == (1, [])
    assert f"jobs.train.{problem}" in done.stderr


def test_only_training_jobs_can_be_an_array(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    workflow["jobs"]["train"]["request"] = {"ProcessingJobName": "any", "Environment": {"LR": "${lr}"}}
    done = run("submit", written(tmp_path, workflow))
    assert (done.exit_code, queue.calls) == (1, [])
    assert "jobs.train.request is not for a training job. An array can run no other jobs." in done.stderr


def test_an_array_may_have_its_own_checkpoints(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    workflow["jobs"]["train"]["request"] |= checkpoints("${lr}")
    workflow["jobs"]["prep"]["request"] = {**REQUEST, **checkpoints("prep")}
    assert run("submit", written(tmp_path, workflow)).exit_code == 0


def test_an_array_has_no_model(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    uses = a_request(Environment={"MODEL": "${jobs.train.model}"})
    workflow["jobs"]["report"] = {"request": uses, "after_ok": ["train"]}
    done = run("submit", written(tmp_path, workflow))
    assert (done.exit_code, queue.calls) == (1, [])
    assert "has the placeholder ${jobs.train.model}, but train is an array, which has many models." in done.stderr


def test_a_cycle_is_refused(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    workflow["jobs"]["prep"]["after_ok"] = ["report"]
    done = run("submit", written(tmp_path, workflow))
    cycle = done.stderr.partition("waits for itself: ")[2].partition(".")[0].split(" → ")
    assert (len(cycle), {*cycle}, cycle[0]) == (4, {"prep", "train", "report"}, cycle[-1])
    assert queue.calls == []


def test_options_of_the_command_are_refused(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    file = written(tmp_path, workflow)
    for options in (["--priority", "5"], ["--wait"], ["--most-failures", "0"], ["--after-ok", "x"]):
        assert run("submit", file, *options).exit_code == 2
    assert queue.calls == []


def test_the_answers_are_json_for_programs(queue: FakeQueue, workflow: dict[str, Any], tmp_path: Path) -> None:
    answers = json.loads(run("submit", written(tmp_path, workflow), "--json").stdout)
    assert [answer["name"] for answer in answers] == ["nightly-prep", "nightly-train", "nightly-report"]


def test_the_example_is_a_workflow(queue: FakeQueue) -> None:
    done = run("submit", str(CHECKOUT / "examples/workflow.yaml"))
    assert done.exit_code == 0, done.stderr
    assert set(names(queue)) == {"nightly-prep", "nightly-train", "nightly-report"}
