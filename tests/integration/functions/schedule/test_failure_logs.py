"""The scheduler reads the log of a failed attempt from moto's CloudWatch Logs."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import boto3
import pytest
from botocore.config import Config

from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.cloudwatch_logs import CloudWatchLogs
from scheduler.wiring import shared
from support.account.simulated_queue import request

GROUP = "/aws/sagemaker/TrainingJobs"
SCRIPT = "AlgorithmError: ExecuteUserScriptError:\nExitCode 1"


@pytest.fixture
def logged(table: str, caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """The log of our functions, which they keep from the root logger."""
    shared.logger()
    ours = logging.getLogger("scheduler")
    ours.addHandler(caplog.handler)
    yield caplog
    ours.removeHandler(caplog.handler)


def fail(sagemaker: Simulation, call: Callable[..., Any], schedule: Callable[[], None], log: Sequence[str]) -> Any:
    """The last attempt of a job whose script printed this and died."""
    call("POST", "/add-job", request("resnet"))
    schedule()
    sagemaker.run(120)
    write("resnet-sq-1/algo-1-17", log)
    sagemaker.fail("resnet-sq-1", SCRIPT)
    schedule()
    return call("GET", "/jobs/resnet")[1]["attempts"][-1]


def write(stream: str, lines: Sequence[str]) -> None:
    logs = boto3.client("logs")
    if not logs.describe_log_groups(logGroupNamePrefix=GROUP)["logGroups"]:
        logs.create_log_group(logGroupName=GROUP)
    logs.create_log_stream(logGroupName=GROUP, logStreamName=stream)
    now = round(time.time() * 1000)
    events = [{"timestamp": now + number, "message": line} for number, line in enumerate(lines)]
    if events:
        logs.put_log_events(logGroupName=GROUP, logStreamName=stream, logEvents=events)  # type: ignore[arg-type] # a dict


def test_an_unclear_failure_is_judged_by_the_end_of_its_log(
    sagemaker: Simulation, call: Callable[..., Any], schedule: Callable[[], None]
) -> None:
    attempt = fail(sagemaker, call, schedule, ["epoch 1", "RuntimeError: uncorrectable ECC error encountered"])
    assert attempt["failure_class"] == "hardware"
    assert attempt["action"] == "cause found in the log: retried after 60 seconds"


def test_only_the_end_of_the_log_is_read(
    sagemaker: Simulation, call: Callable[..., Any], schedule: Callable[[], None]
) -> None:
    attempt = fail(sagemaker, call, schedule, ["uncorrectable ECC error", *["epoch"] * 60])
    assert attempt["failure_class"] == "user"


def test_nothing_of_the_log_is_kept_or_logged(
    sagemaker: Simulation, call: Callable[..., Any], schedule: Callable[[], None], logged: pytest.LogCaptureFixture
) -> None:
    attempt = fail(sagemaker, call, schedule, ["token=hunter2", "MemoryError hunter2"])
    assert attempt["failure_class"] == "out_of_memory"
    records = [vars(record) for record in logged.records]
    assert records
    assert "hunter2" not in f"{call('GET', '/jobs/resnet')}{records}"


def test_of_a_wide_job_eight_hosts_are_read_and_of_a_line_its_end(table: str) -> None:
    for host in range(1, 11):
        write(f"wide-sq-1/algo-{host}-17", ["x" * 5000 + str(host)])
    hosts = CloudWatchLogs(boto3.client("logs")).last_lines("wide-sq-1")
    assert [[len(line) for line in lines] for lines in hosts] == [[1024]] * 8


def test_of_each_host_the_log_since_its_last_restart_is_read(table: str) -> None:
    for start in range(60):  # more streams than CloudWatch returns at once
        for host in (2, 1):
            write(f"resnet-sq-1/algo-{host}-17000000{start:02}", [f"host {host}, start {start}"])
    hosts = CloudWatchLogs(boto3.client("logs")).last_lines("resnet-sq-1")
    assert hosts == (("host 1, start 59",), ("host 2, start 59",))


def test_another_attempt_whose_name_begins_alike_is_not_read(table: str) -> None:
    write("resnet-sq-1/algo-1-17", ["mine"])
    write("resnet-sq-10/algo-1-17", ["another's"])
    assert CloudWatchLogs(boto3.client("logs")).last_lines("resnet-sq-1") == (("mine",),)


def test_a_log_that_cannot_be_read_is_as_good_as_none(table: str) -> None:
    assert CloudWatchLogs(boto3.client("logs")).last_lines("resnet-sq-1") == ()
    nowhere = boto3.client("logs", endpoint_url="http://127.0.0.1:1", config=Config(retries={"total_max_attempts": 1}))
    assert CloudWatchLogs(nowhere).last_lines("resnet-sq-1") == ()
