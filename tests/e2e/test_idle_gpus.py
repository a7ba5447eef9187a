"""Jobs that stop using their GPUs, on the deployed stack: real metrics, real topics, the real function.

The local CloudWatch does not evaluate alarms over several metrics, so a test says in its place that one goes off;
whether anything is done about it is decided on the metrics that the emulator sends for every host.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from mypy_boto3_cloudwatch import CloudWatchClient

from e2e.bodies import body
from e2e.door import Door
from e2e.mailbox import Mailbox
from e2e.patience import eventually

GPU = "ml.g5.xlarge"
#: For two of SageMaker's metrics, which come once a minute, and for a sweep.
MINUTES = 200


@pytest.fixture(scope="module")
def cloudwatch(shell: dict[str, str]) -> CloudWatchClient:
    return boto3.client("cloudwatch")


@pytest.fixture(scope="module")
def trained(door: Door, cloudwatch: CloudWatchClient, mailbox: Mailbox) -> None:
    """Four jobs have trained for a whole minute of metrics, and have their alarms."""
    door.submit(on_gpus("gpu-idle", "echo 0"))
    door.submit(on_gpus("gpu-busy", "echo 90"))
    door.submit(on_gpus("gpu-slow", "echo 30"))
    door.submit(on_gpus("gpu-wide", "[ $SM_CURRENT_HOST = algo-12 ] && echo 90 || echo 0", instances=12))
    for host in ("gpu-idle-sq-1/algo-1", "gpu-busy-sq-1/algo-1", "gpu-slow-sq-1/algo-1", "gpu-wide-sq-1/algo-12"):
        eventually(lambda host=host: whole_minutes(cloudwatch, host), bool, within=MINUTES)  # type: ignore[misc] # mypy cannot infer a lambda with a default
    eventually(lambda: alarms(cloudwatch, ""), lambda names: len(names) == 2 * 3 + 2 * 2, within=MINUTES)


def test_a_job_that_stops_using_its_gpu_is_stopped(
    trained: None, door: Door, cloudwatch: CloudWatchClient, mailbox: Mailbox
) -> None:
    go_off(cloudwatch, "gpu-idle", "idle")
    job = eventually(lambda: door.job("gpu-idle"), lambda job: job["state"] == "stopped")
    assert (job["reason"]["code"], job["attempts"][0]["outcome"]) == ("idle_gpu", "idle")
    notice = eventually(mailbox.notices, lambda found: "gpu-idle" in found)["gpu-idle"]
    assert (notice["kind"], notice["reason"]) == ("stopped", "no GPU of any of its hosts was used for 1 minutes")


@pytest.mark.parametrize("name", ["gpu-busy", "gpu-wide"])
def test_a_job_of_which_one_host_works_is_left_alone(
    trained: None, door: Door, cloudwatch: CloudWatchClient, name: str
) -> None:
    go_off(cloudwatch, name, "idle")
    eventually(lambda: checks(name), bool)
    assert door.job(name)["state"] == "running"


def test_the_owner_of_a_job_that_hardly_uses_its_gpu_is_told(
    trained: None, door: Door, cloudwatch: CloudWatchClient, mailbox: Mailbox
) -> None:
    go_off(cloudwatch, "gpu-slow", "underused")
    notice = eventually(mailbox.notices, lambda found: "gpu-slow" in found)["gpu-slow"]
    assert (notice["kind"], notice["reason"]) == ("underused", "Its GPUs are used less than 60 % on average.")
    assert door.job("gpu-slow")["state"] == "running"


def test_no_alarm_is_left_after_the_jobs(trained: None, door: Door, cloudwatch: CloudWatchClient) -> None:
    for job in door.jobs():
        if job["name"].startswith("gpu-") and job["state"] == "running":
            door.cancel(job["name"])
    eventually(lambda: alarms(cloudwatch, ""), lambda names: not names, within=MINUTES)


def on_gpus(name: str, percent: str, *, instances: int = 1) -> dict[str, Any]:
    """A request whose hosts say how busy their GPUs would be: what the shell command `percent` prints."""
    say = f'echo "{{\\"GPUUtilization\\": $({percent})}}" > $SM_GPU_USAGE_FILE'
    request = body(name, f"{say}; trap 'exit 0' TERM; while :; do sleep 0.5; done", instances=instances)
    request["ResourceConfig"]["InstanceType"] = GPU
    return request


def alarms(cloudwatch: CloudWatchClient, attempt: str) -> list[str]:
    found = cloudwatch.describe_alarms(AlarmNamePrefix=f"sagequeue-sq/{attempt}")["MetricAlarms"]
    return [alarm["AlarmName"] for alarm in found]


def go_off(cloudwatch: CloudWatchClient, job: str, kind: str) -> None:
    for name in alarms(cloudwatch, f"{job}-sq-1/{kind}/"):
        cloudwatch.set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="in CloudWatch's place")


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


def checks(job: str) -> list[str]:
    """What the function's log says of its checks of this job."""
    logs = boto3.client("logs")
    groups = [group["logGroupName"] for group in logs.describe_log_groups()["logGroups"]]
    (group,) = (name for name in groups if "IdleAlarm" in name)
    events = logs.filter_log_events(logGroupName=group)["events"]
    return [event["message"] for event in events if "checked GPUs" in event["message"] and job in event["message"]]
