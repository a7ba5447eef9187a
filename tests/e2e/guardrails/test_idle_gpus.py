"""Jobs that stop using their GPUs, on the deployed stack: real metrics, topics and functions."""

import json
import os
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from mypy_boto3_cloudwatch import CloudWatchClient

from support.checkout import CHECKOUT
from support.deployed.container_requests import body
from support.deployed.notices import Mailbox
from support.deployed.rest_api import RestApi
from support.deployed.terminal import Terminal, commands_in, show_on, shown_on
from support.deployed.waiting import eventually

PAGE = CHECKOUT / "tests/data/tours/idle_gpus.md"
GPU = "ml.g5.xlarge"
#: A quarter of an hour would be long for a test.
WATCHFUL = "idle_gpus: {action: stop, window: 1m, grace: 0s, minimum_utilisation: 60}\n"
GO_OFF = """\
import sys, boto3
cloudwatch = boto3.client("cloudwatch")
for alarm in cloudwatch.describe_alarms(AlarmNamePrefix=f"sagequeue-sq/{sys.argv[1]}/")["MetricAlarms"]:
    cloudwatch.set_alarm_state(AlarmName=alarm["AlarmName"], StateValue="ALARM", StateReason="a trial")
    print(alarm["AlarmName"])
"""
#: What each job's hosts say of their GPU: shell commands that print percents.
PERCENTS = {
    "gpu-idle": "echo 0",
    "gpu-busy": "echo 90",
    "gpu-wide": "[ $SM_CURRENT_HOST = algo-12 ] && echo 90 || echo 0",
    "gpu-slow": "echo 30",
}
HOSTS = {"gpu-wide": 12}
#: For two of SageMaker's metrics, which come once a minute, and for a sweep.
MINUTES = 200
#: Seconds from the start of training until a check's minutes all lie after it: checks begin with a minute before the
#: last five-minute mark. Then a sweep and its checks follow.
CHECKED = 5 * 60 + 60 + MINUTES


@pytest.fixture(scope="module")
def cloudwatch(shell: dict[str, str]) -> CloudWatchClient:
    return boto3.client("cloudwatch")


@pytest.mark.usefixtures("operator")
@pytest.mark.timeout(1200)  # minutes of metrics, and the sweeps that make and delete the alarms
def test_idle_gpus_are_found_as_the_page_shows_it(
    terminal: Terminal, rest_api: RestApi, cloudwatch: CloudWatchClient, mailbox: Mailbox
) -> None:
    train(terminal, rest_api, cloudwatch)
    stop_the_idle_one(terminal, rest_api, mailbox)
    leave_the_busy_one(terminal, rest_api)
    look_at_all_hosts(terminal, rest_api)
    tell_of_hardly_used_gpus(terminal, rest_api, mailbox)
    leave_no_alarm(terminal, rest_api, cloudwatch)
    if os.environ.get("UPDATE_DOCS"):
        show_on(PAGE, __file__, terminal.text())
    assert list(commands_in(shown_on(PAGE, __file__))) == list(commands_in(terminal.text()))


def train(terminal: Terminal, rest_api: RestApi, cloudwatch: CloudWatchClient) -> None:
    terminal.scene(
        "Four jobs on GPUs",
        "Their scripts report simulated GPU use ([local-sagemaker.md](local-sagemaker.md)): `gpu-idle` 0 % and\n"
        "`gpu-busy` 90 %. Of the 12 hosts of `gpu-wide`, only the last one is busy. `gpu-slow` uses 30 %, less\n"
        "than `minimum_utilisation`. The queue waits one minute, without a grace period.",
    )
    terminal.write("idle.yaml", WATCHFUL)
    terminal.shell("cat idle.yaml")
    terminal.type("config apply idle.yaml")
    terminal.write("gpu-idle.json", on_gpus("gpu-idle"))
    terminal.shell("cat gpu-idle.json")
    terminal.type("submit gpu-idle.json")
    for name in PERCENTS.keys() - {"gpu-idle"}:  # in the same way
        rest_api.submit(on_gpus(name))
    for name in PERCENTS:
        host = f"{name}-sq-1/algo-{HOSTS.get(name, 1)}"
        eventually(lambda host=host: whole_minutes(cloudwatch, host), bool, within=MINUTES)  # type: ignore[misc] # mypy cannot infer a lambda with a default
    eventually(lambda: alarms(cloudwatch), lambda names: len(names) == 2 * 3 + 2 * 2, within=MINUTES)
    terminal.type("ls")


def stop_the_idle_one(terminal: Terminal, rest_api: RestApi, mailbox: Mailbox) -> None:
    terminal.scene(
        "An idle GPU",
        "The local CloudWatch does not evaluate alarms over several metrics, so `go_off.py` sets an alarm's state.\n"
        "The function that receives the alarm reads the metrics first, and then stops the job.",
    )
    terminal.write("go_off.py", GO_OFF)
    terminal.shell("cat go_off.py")
    terminal.shell("python go_off.py gpu-idle-sq-1/idle")
    job = eventually(lambda: rest_api.job("gpu-idle"), lambda job: job["state"] == "stopped", within=CHECKED)
    terminal.type("show gpu-idle")
    assert (job["reason"]["code"], job["attempts"][0]["outcome"]) == ("idle_gpu", "idle")
    notice = eventually(mailbox.notices, lambda found: "gpu-idle" in found)["gpu-idle"]
    assert notice["kind"] == "stopped"


def leave_the_busy_one(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene("A busy GPU", "The metrics contradict the alarm, so nothing happens.")
    terminal.shell("python go_off.py gpu-busy-sq-1/idle")
    eventually(lambda: uses("gpu-busy"), lambda found: "busy" in found, within=CHECKED)
    terminal.type("show gpu-busy")
    assert rest_api.job("gpu-busy")["state"] == "running"


def look_at_all_hosts(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene(
        "Twelve hosts", "CloudWatch takes ten metrics per alarm, so there are two alarms. One busy host is enough."
    )
    terminal.shell("python go_off.py gpu-wide-sq-1/idle")
    # One busy host of twelve: not idle, but less than `minimum_utilisation` on average.
    eventually(lambda: uses("gpu-wide"), lambda found: "underused" in found, within=CHECKED)
    terminal.type("show gpu-wide")
    assert rest_api.job("gpu-wide")["state"] == "running"


def tell_of_hardly_used_gpus(terminal: Terminal, rest_api: RestApi, mailbox: Mailbox) -> None:
    terminal.scene("Underused GPUs", "The owner is notified once, and the job continues.")
    terminal.shell("python go_off.py gpu-slow-sq-1/underused")
    notice = eventually(mailbox.notices, lambda found: "gpu-slow" in found, within=CHECKED)["gpu-slow"]
    terminal.type("show gpu-slow")
    assert (notice["kind"], notice["reason"]) == ("underused", "Its GPUs are used less than 60 % on average.")
    assert rest_api.job("gpu-slow")["state"] == "running"


def leave_no_alarm(terminal: Terminal, rest_api: RestApi, cloudwatch: CloudWatchClient) -> None:
    terminal.scene("Clean-up", "The three jobs are cancelled; ended attempts leave no alarm behind.")
    for name in ("gpu-busy", "gpu-wide", "gpu-slow"):
        rest_api.cancel(name)
    eventually(lambda: alarms(cloudwatch), lambda names: not names, within=MINUTES)
    terminal.shell("python go_off.py gpu-busy-sq-1/idle")


def on_gpus(name: str) -> dict[str, Any]:
    """A request whose hosts say how busy their GPUs would be."""
    say = f'echo "{{\\"GPUUtilization\\": $({PERCENTS[name]})}}" > $SM_GPU_USAGE_FILE'
    script = f"{say}; trap 'exit 0' TERM; while :; do sleep 0.5; done"
    request = body(name, script, instances=HOSTS.get(name, 1))
    request["ResourceConfig"]["InstanceType"] = GPU
    return request


def alarms(cloudwatch: CloudWatchClient) -> list[str]:
    found = cloudwatch.describe_alarms(AlarmNamePrefix="sagequeue-sq/")["MetricAlarms"]
    return [alarm["AlarmName"] for alarm in found]


def whole_minutes(cloudwatch: CloudWatchClient, host: str) -> list[datetime]:
    """Minutes that are over, with a metric of the host."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    points = cloudwatch.get_metric_statistics(
        Namespace="/aws/sagemaker/TrainingJobs",
        MetricName="GPUUtilization",
        Dimensions=[{"Name": "Host", "Value": host}],
        StartTime=now - timedelta(minutes=1),
        EndTime=now,
        Period=60,
        Statistics=["Maximum"],
    )["Datapoints"]
    return [point["Timestamp"] for point in points]


def uses(job: str) -> set[str]:
    """Returns how the function found the GPUs of this job, according to its log: `unknown` in the grace period."""
    logs = boto3.client("logs")
    groups = [group["logGroupName"] for group in logs.describe_log_groups()["logGroups"]]
    (group,) = (name for name in groups if "IdleAlarm" in name)
    lines = [event["message"] for event in logs.filter_log_events(logGroupName=group)["events"]]
    checks = [json.loads(line) for line in lines if "checked GPUs" in line]
    return {check["use"] for check in checks if check["attempt"] == f"{job}-sq-1"}
