"""The guard's tour on the deployed stack: real scripts, metrics, logs, alarms, topics and functions.

ministack evaluates no alarm over several metrics, so the local account does (`local_cloudwatch`). No test sets a state.
"""

import json
import os
from typing import Any

import boto3
import pytest
from mypy_boto3_cloudwatch import CloudWatchClient
from mypy_boto3_sagemaker import SageMakerClient

from support.checkout import CHECKOUT
from support.deployed.container_requests import BUCKET, body
from support.deployed.notices import Mailbox
from support.deployed.rest_api import RestApi
from support.deployed.terminal import Terminal, commands_in, show_on, shown_on
from support.deployed.waiting import eventually

PAGE = CHECKOUT / "tests/data/tours/guard.md"
CPU, GPU = "ml.m5.large", "ml.g5.xlarge"
#: The shortest times that the sections allow.
GUARD = """\
idle_gpus: {action: stop, window: 1m, grace: 0s, minimum_utilisation: 60}
hangs: {action: stop-and-retry, window: 5m, grace: 0s}
nan: {action: warn-then-stop, window: 5m, values: 3}
policy: {interactive_at_most: {ml.g5.xlarge: 1}}
"""
FOR_EVER = "trap 'exit 0' TERM; while :; do sleep 0.5; done"
#: What each job's hosts say of their GPU: shell commands that print percents.
PERCENTS = {
    "gpu-idle": "echo 0",
    "gpu-busy": "echo 90",
    "gpu-wide": "[ $SM_CURRENT_HOST = algo-11 ] && echo 90 || echo 0",
    "gpu-slow": "echo 30",
}
IDLE = "echo 0"
HOSTS = {"gpu-wide": 11}
GROWS = f"case $TRAINING_JOB_NAME in *-1) echo Killed: out of memory >&2; exit 137;; *) {FOR_EVER};; esac"
HANGS = (
    "cd $SM_CHECKPOINT_DIR; [ -e saved ] && echo goes on && exit 0; touch saved; echo epoch 1; "
    "trap 'exit 0' TERM; while :; do sleep 1; done"
)
DIVERGES = "trap 'exit 0' TERM; while :; do echo 'epoch 1, loss: nan'; sleep 1; done"
#: Seconds. Checks begin with a minute before the last five-minute mark, after the start of training. The longest window
#: is five minutes, and a sweep and its checks follow.
CHECKED = 5 * 60 + 5 * 60 + 180


@pytest.fixture(scope="module")
def cloudwatch(shell: dict[str, str]) -> CloudWatchClient:
    return boto3.client("cloudwatch")


@pytest.mark.usefixtures("operator")
def test_the_guard_finds_each_kind_of_wasted_instance(
    terminal: Terminal,
    rest_api: RestApi,
    sagemaker: SageMakerClient,
    cloudwatch: CloudWatchClient,
    mailbox: Mailbox,
) -> None:
    start(terminal, rest_api, sagemaker)
    grow(terminal, rest_api)
    debug(terminal, rest_api)
    stop_the_unmanaged_one(terminal, sagemaker)
    stop_the_idle_one(terminal, rest_api)
    warn_of_underused_gpus(terminal, rest_api, mailbox)
    stop_the_one_that_learns_nothing(terminal, rest_api)
    run_the_hung_one_again(terminal, rest_api)
    leave_the_interactive_one(terminal, rest_api, cloudwatch)
    leave_the_busy_one(terminal, rest_api, cloudwatch)
    if os.environ.get("UPDATE_DOCS"):
        show_on(PAGE, __file__, terminal.text())
    assert list(commands_in(shown_on(PAGE, __file__))) == list(commands_in(terminal.text()))


def start(terminal: Terminal, rest_api: RestApi, sagemaker: SageMakerClient) -> None:
    terminal.scene(
        "Seven jobs and one outside the queue",
        "The scripts of `gpu-…` report simulated GPU use ([emulator](../../../docs/contribute/emulator.md)):\n"
        "`gpu-idle` 0 %, `gpu-busy` 90 %, `gpu-slow` 30 %. Of the 11 hosts of `gpu-wide`, only the last one is busy.\n"
        "`hung` writes one line and then nothing, and `diverged` writes a loss that is NaN. `grown` has too little\n"
        "memory. `direct` bypasses the queue, and its GPU is idle. The configuration has the shortest times.",
    )
    terminal.write("guard.yaml", GUARD)
    terminal.shell("cat guard.yaml")
    terminal.type("config apply guard.yaml")
    terminal.write("grown.json", body("grown", GROWS))
    terminal.write("larger.json", json.dumps([{"request": {"ResourceConfig": {"InstanceType": GPU}}}]) + "\n")
    terminal.shell("cat larger.json")
    terminal.type("submit grown.json --alternatives file://larger.json")
    rest_api.submit(long(resumable(body("hung", HANGS))))
    rest_api.submit(long(body("diverged", DIVERGES)))
    for name in PERCENTS:
        rest_api.submit(on_gpus(name))
    sagemaker.create_training_job(**on_gpus("direct", IDLE) | {"Tags": [{"Key": "owner", "Value": "ada"}]})


def grow(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene("Out of memory", f"The next attempt runs on the alternative, `{GPU}`.")
    eventually(
        lambda: rest_api.job("grown")["attempts"], lambda attempts: [one["choice"] for one in attempts] == [0, 1]
    )
    first = rest_api.job("grown")["attempts"][0]
    assert (first["outcome"], first["failure_class"]) == ("failed", "out_of_memory")
    terminal.type("show grown")
    rest_api.cancel("grown")


def debug(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene(
        "Interactive jobs",
        "Two jobs with remote debugging leave their GPUs idle. The policy lets only one of them hold a GPU.",
    )
    remote = {"RemoteDebugConfig": {"EnableRemoteDebug": True}}
    terminal.write("notebook.json", on_gpus("notebook", IDLE) | remote)
    terminal.type("submit notebook.json")
    eventually(lambda: rest_api.job("notebook"), lambda job: job["state"] == "running")
    rest_api.submit(on_gpus("second", IDLE) | remote)
    job = eventually(lambda: rest_api.job("second"), lambda job: job["reason"]["code"] != "submitted")
    assert (job["state"], job["reason"]["code"]) == ("pending", "interactive_cap")
    terminal.type("why second")
    rest_api.cancel("second")


def stop_the_unmanaged_one(terminal: Terminal, sagemaker: SageMakerClient) -> None:
    terminal.scene(
        "A job outside the queue", "No alarm watches it: a sweep reads its metrics. The queue cannot retry it."
    )
    found = eventually(lambda: terminal.ask("findings")["findings"], bool, within=CHECKED)
    assert [(one["name"], one["stopped"]) for one in found] == [("direct", True)]
    terminal.type("findings")
    status = sagemaker.describe_training_job(TrainingJobName="direct")["TrainingJobStatus"]
    assert status in {"Stopping", "Stopped"}


def stop_the_idle_one(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene("Idle GPUs", "The alarm starts a check, which reads the metrics of all hosts. Then the job stops.")
    job = eventually(lambda: rest_api.job("gpu-idle"), lambda job: job["state"] == "stopped", within=CHECKED)
    assert (job["reason"]["code"], job["attempts"][0]["outcome"]) == ("idle_gpu", "idle")
    assert "gpu-idle-sq-1" in checked_after_an_alarm()
    terminal.type("show gpu-idle")


def warn_of_underused_gpus(terminal: Terminal, rest_api: RestApi, mailbox: Mailbox) -> None:
    terminal.scene(
        "Underused GPUs",
        "The owners are warned once, and the jobs continue. CloudWatch takes ten metrics per alarm, so `gpu-wide` has\n"
        "two alarms of each kind. One busy host of eleven is enough: it is not idle.",
    )
    for name in ("gpu-slow", "gpu-wide"):
        notice = eventually(mailbox.notices, lambda found, name=name: name in found, within=CHECKED)[name]  # type: ignore[misc] # mypy cannot infer a lambda with a default
        assert (notice["kind"], notice["reason"]) == ("underused", "Its GPUs are used less than 60 % on average.")
        assert rest_api.job(name)["state"] == "running"
    terminal.type("show gpu-wide")


def stop_the_one_that_learns_nothing(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene(
        "A loss that is NaN", "Two checks of the log must agree: one warns the owner, and a later one stops the job."
    )
    job = eventually(lambda: rest_api.job("diverged"), lambda job: job["state"] == "stopped", within=CHECKED)
    assert (job["reason"]["code"], job["attempts"][0]["outcome"]) == ("nan_loss", "nan_loss")
    terminal.type("show diverged")


def run_the_hung_one_again(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene(
        "A hang",
        "The CPU is unused, and the log has no new line. The job is stopped, and runs again once from its checkpoint.",
    )
    job = eventually(lambda: rest_api.job("hung"), lambda job: job["state"] == "completed", within=CHECKED)
    assert [one["outcome"] for one in job["attempts"]] == ["hung", "completed"]
    assert "hung-sq-1" in checked_after_an_alarm()
    terminal.type("show hung")


def leave_the_interactive_one(terminal: Terminal, rest_api: RestApi, cloudwatch: CloudWatchClient) -> None:
    terminal.scene(
        "After some minutes", "No alarm watches `notebook`, and `show` prints the command that opens a shell."
    )
    assert "start-session --target sagemaker-training-job:notebook-sq-1_algo-1" in terminal.type("show notebook")
    assert rest_api.job("notebook")["state"] == "running"
    assert alarms(cloudwatch, "notebook-sq-1") == []


def leave_the_busy_one(terminal: Terminal, rest_api: RestApi, cloudwatch: CloudWatchClient) -> None:
    terminal.scene("A busy GPU", "`gpu-busy` ran all the time. Its alarms never fired.")
    terminal.type("show gpu-busy")
    assert rest_api.job("gpu-busy")["state"] == "running"
    assert "gpu-busy-sq-1" not in checked_after_an_alarm()
    assert {alarm["StateValue"] for alarm in alarms(cloudwatch, "gpu-busy-sq-1")} == {"OK"}
    for name in ("gpu-busy", "gpu-slow", "gpu-wide", "notebook"):
        rest_api.cancel(name)
    eventually(lambda: alarms(cloudwatch), lambda found: not found, within=CHECKED)


def on_gpus(name: str, percent: str | None = None) -> dict[str, Any]:
    """A request whose hosts say how busy their GPUs would be."""
    say = f'echo "{{\\"GPUUtilization\\": $({percent or PERCENTS[name]})}}" > $SM_GPU_USAGE_FILE'
    request = body(name, f"{say}; {FOR_EVER}", instances=HOSTS.get(name, 1))
    return long(request | {"ResourceConfig": request["ResourceConfig"] | {"InstanceType": GPU}})


def resumable(request: dict[str, Any]) -> dict[str, Any]:
    name = request["TrainingJobName"]
    return request | {"CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}}


def long(request: dict[str, Any]) -> dict[str, Any]:
    return request | {"StoppingCondition": {"MaxRuntimeInSeconds": 1800}}


def alarms(cloudwatch: CloudWatchClient, attempt: str = "") -> list[Any]:
    found = cloudwatch.get_paginator("describe_alarms").paginate(AlarmNamePrefix=f"sagequeue-sq/{attempt}")
    return [alarm for page in found for alarm in page["MetricAlarms"]]


def checked_after_an_alarm() -> set[str]:
    """Returns the attempts that the function checked to which alarms send their messages, according to its log."""
    logs = boto3.client("logs")
    groups = [group["logGroupName"] for group in logs.describe_log_groups()["logGroups"]]
    (group,) = (name for name in groups if "IdleAlarm" in name)
    lines = [event["message"] for event in logs.filter_log_events(logGroupName=group)["events"]]
    return {check["attempt"] for line in lines if "checked" in line and "attempt" in (check := json.loads(line))}
