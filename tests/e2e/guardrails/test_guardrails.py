"""Rules and retries on the deployed stack; tests/data/tours/guardrails.md has commands and output."""

import os
from typing import Any

import boto3
import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.checkout import CHECKOUT
from support.deployed.container_requests import BUCKET, body
from support.deployed.notices import Mailbox
from support.deployed.rest_api import RestApi
from support.deployed.terminal import CURL, Terminal, commands_in, show_on, shown_on
from support.deployed.waiting import eventually

PAGE = CHECKOUT / "tests/data/tours/guardrails.md"
RULES = """\
rules:
  rules:
    - {name: required-tags, kind: required_tags, tags: {team: {}}}
    - {name: instances-per-job, kind: instances_per_job, most: 1}
"""
RETRIES = """\
rules: {}
retries:
  treatments:
    internal: {retries: 1, delay: 0s}
    hardware: {retries: 1, delay: 0s}
"""
ON_SPOT = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 600, "MaxWaitTimeInSeconds": 900},
}
# The first attempt saves something and goes on for long; a later one ends at once, and well only if it finds that.
SAVES = "cd $SM_CHECKPOINT_DIR; [ -e saved ] && echo goes on && exit 0; echo starts; touch saved; sleep 300"
# The same, except that interruptions of the first attempt change nothing.
SAVES_ONCE = (
    "cd $SM_CHECKPOINT_DIR; "
    "case $TRAINING_JOB_NAME in *-1) touch saved; sleep 300;; *) [ -e saved ] && echo goes on;; esac"
)
BREAKS = "cd $SM_CHECKPOINT_DIR; [ -e tried ] && exit 0; touch tried; echo uncorrectable ECC error encountered; exit 1"
#: An interruption ends nothing: a sweep finds out how often there was one.
A_SWEEP_OR_TWO = 200


@pytest.mark.usefixtures("operator")
def test_guardrails_hold_as_the_page_shows_it(
    terminal: Terminal, rest_api: RestApi, sagemaker: SageMakerClient, mailbox: Mailbox
) -> None:
    refuse_at_the_door(terminal, rest_api)
    stop_what_goes_round(terminal, sagemaker, mailbox)
    resume_after_an_error_of_sagemakers(terminal, rest_api)
    read_the_log(terminal)
    give_up(terminal)
    leave_spot(terminal, rest_api, sagemaker)
    if os.environ.get("UPDATE_DOCS"):
        show_on(PAGE, __file__, terminal.text())
    assert list(commands_in(shown_on(PAGE, __file__))) == list(commands_in(terminal.text()))


def refuse_at_the_door(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene(
        "At submission",
        "The rules require a tag `team` and allow one instance. `wide.json` has two instances and no tag.",
    )
    terminal.write("rules.yaml", RULES)
    terminal.write("wide.json", body("wide", instances=2))
    terminal.shell("cat rules.yaml")
    terminal.type("config apply rules.yaml")
    refusal = terminal.type("submit wide.json", code=1)
    assert [line.partition(":")[0] for line in refusal.splitlines()[:2]] == ["required-tags", "instances-per-job"]
    assert rest_api.get("/jobs/wide").status_code == 404


def stop_what_goes_round(terminal: Terminal, sagemaker: SageMakerClient, mailbox: Mailbox) -> None:
    terminal.scene(
        "A job that bypasses the queue",
        "`direct.json` has no tag `team` either, but names its owner. On this stack, `GuardUnmanagedJobs` is `stop`.",
    )
    terminal.write("direct.json", body("untagged", "sleep 300") | tagged(owner="ada"))
    sagemaker.create_training_job(**body("tagged", "sleep 300") | tagged(team="vision"))
    create = 'import boto3, json; boto3.client("sagemaker").create_training_job(**json.load(open("direct.json")))'
    terminal.shell(f"python -c '{create}'")
    eventually(lambda: status(sagemaker, "untagged"), lambda status: status in {"Stopping", "Stopped"})
    assert "required-tags" in terminal.type("findings")
    assert [(one["name"], one["stopped"]) for one in terminal.ask("findings")["findings"]] == [("untagged", True)]
    assert status(sagemaker, "tagged") == "InProgress"
    sagemaker.stop_training_job(TrainingJobName="tagged")
    notice = eventually(mailbox.notices, lambda found: "untagged" in found)["untagged"]
    assert (notice["kind"], notice["owner"]) == ("rule_violated", "ada")


def resume_after_an_error_of_sagemakers(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene(
        "An internal error of SageMaker",
        "From here on, failures are retried at once. The script saves a checkpoint and then runs for long; a later\n"
        "attempt that finds the checkpoint ends at once. The local account injects faults on request\n"
        "([local-sagemaker.md](local-sagemaker.md)).",
    )
    terminal.write("retries.yaml", RETRIES)
    terminal.write("crash.json", body("crash", SAVES) | checkpoints("crash"))
    terminal.shell("cat retries.yaml")
    terminal.type("config apply retries.yaml")
    terminal.type("submit crash.json")
    eventually(lambda: saved("crash"), bool)  # a crash uploads no more
    control(terminal, "crash-sq-1", "fail")
    terminal.type("wait crash")
    assert "goes on" in terminal.type("logs crash")
    assert [(one["outcome"], one["failure_class"]) for one in terminal.ask("show crash")["attempts"]] == [
        ("failed", "internal"),
        ("completed", None),
    ]


def read_the_log(terminal: Terminal) -> None:
    terminal.scene(
        "A failure that only the log explains", "SageMaker reports only `ExitCode 1`; the script printed the cause."
    )
    terminal.write("faulty.json", body("faulty", BREAKS) | checkpoints("faulty"))
    terminal.type("submit faulty.json --wait")
    first, second = terminal.ask("show faulty")["attempts"]
    assert (first["failure_class"], first["action"]) == ("hardware", "cause found in the log: retried after 0 seconds")
    assert second["outcome"] == "completed"


def give_up(terminal: Terminal) -> None:
    terminal.scene("A mistake in the script", "Another attempt would fail in the same way.")
    terminal.write("mistake.json", body("mistake", "exit 3"))
    terminal.type("submit mistake.json --wait", code=10)
    ((outcome, action),) = [(one["outcome"], one["action"]) for one in terminal.ask("show mistake")["attempts"]]
    assert (outcome, action.partition(":")[0]) == ("failed", "given up")


def leave_spot(terminal: Terminal, rest_api: RestApi, sagemaker: SageMakerClient) -> None:
    terminal.scene("Spot", "After the third interruption, the job leaves spot.")
    terminal.write("spot.json", body("spot", SAVES_ONCE) | checkpoints("spot") | ON_SPOT)
    terminal.type("submit spot.json")
    eventually(lambda: saved("spot"), bool)
    for interruptions in range(3):
        eventually(lambda: rest_api.job("spot"), lambda job, seen=interruptions: trains_after(job, seen))  # type: ignore[misc] # mypy cannot infer a lambda with a default
        control(terminal, "spot-sq-1", "interrupt")
    eventually(lambda: rest_api.job("spot"), lambda job: job["state"] == "completed", within=A_SWEEP_OR_TWO)
    terminal.type("show spot")
    attempts = terminal.ask("show spot")["attempts"]
    assert [(one["outcome"], one["interruptions"]) for one in attempts] == [("left_spot", 3), ("completed", 0)]
    spot, on_demand = (sagemaker.describe_training_job(TrainingJobName=f"spot-sq-{number}") for number in (1, 2))
    assert (spot["EnableManagedSpotTraining"], on_demand["EnableManagedSpotTraining"]) == (True, False)
    assert "MaxWaitTimeInSeconds" not in on_demand["StoppingCondition"]
    assert spot["TrainingEndTime"] <= on_demand["CreationTime"]


def control(terminal: Terminal, attempt: str, verb: str) -> None:
    """The part of SageMaker: `fail` or `interrupt` an attempt."""
    terminal.shell(f"{CURL} --request POST $AWS_ENDPOINT_URL_SAGEMAKER/_control/jobs/{attempt}/{verb}")


def tagged(**tags: str) -> dict[str, Any]:
    return {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}


def checkpoints(name: str) -> dict[str, Any]:
    return {"CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}}


def saved(job: str) -> list[str]:
    found = boto3.client("s3").list_objects_v2(Bucket=BUCKET, Prefix=f"checkpoints/{job}/")
    return [one["Key"] for one in found.get("Contents", [])]


def trains_after(job: dict[str, Any], interruptions: int) -> bool:
    attempt = job["attempts"][-1] if job["attempts"] else {}
    return (attempt.get("secondary_status"), attempt.get("interruptions")) == ("Training", interruptions)


def status(sagemaker: SageMakerClient, name: str) -> str:
    return sagemaker.describe_training_job(TrainingJobName=name)["TrainingJobStatus"]
