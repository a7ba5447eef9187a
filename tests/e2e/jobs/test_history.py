"""The history on the deployed account: stream, function, role, API and command line."""

import json
from typing import Any, cast

from mypy_boto3_logs import CloudWatchLogsClient
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi
from support.deployed.sagemaker_jobs import training_jobs
from support.deployed.terminal import Terminal
from support.deployed.waiting import eventually


def test_what_became_of_a_job_is_kept_and_reported_as_sagemaker_bills_it(
    rest_api: RestApi, terminal: Terminal, sagemaker: SageMakerClient
) -> None:
    rest_api.submit(body("chronicled", "sleep 2"))
    eventually(lambda: rest_api.job("chronicled"), lambda job: job["state"] == "completed")
    found = eventually(lambda: _history(terminal), lambda changes: bool(changes and changes[-1]["run"]))
    assert [change["version"] for change in found] == list(range(len(found)))
    assert {"pending", "launching", "running", "completed"} >= {change["state"] for change in found}
    (ran,) = training_jobs(sagemaker, "chronicled")
    line = terminal.ask("report --by job")["groups"]["chronicled"]
    assert line["billable_instance_seconds"] == ran["BillableTimeInSeconds"]
    trained = (ran["TrainingEndTime"] - ran["TrainingStartTime"]).total_seconds()
    assert abs(line["instance_seconds"] - trained) < 1


def _history(terminal: Terminal) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], terminal.ask("history chronicled"))


def test_the_queue_is_measured(rest_api: RestApi, logs: CloudWatchLogsClient) -> None:
    rest_api.submit(body("measured", "sleep 1"))
    eventually(lambda: rest_api.job("measured"), lambda job: job["state"] == "completed")
    measured = eventually(lambda: _measured(logs), lambda names: {"Launches", "QueuedJobs"} <= names)
    assert {"LaunchWaitSeconds", "OldestWaitSeconds", "UsedInstances", "FreeInstances"} <= measured


def _measured(logs: CloudWatchLogsClient) -> set[str]:
    """The metrics that CloudWatch would read out of the functions' logs."""
    groups = [group["logGroupName"] for group in logs.describe_log_groups()["logGroups"]]
    ours = [name for name in groups if "ScheduleLogs" in name or "HistoryLogs" in name]
    events = [event for name in ours for event in logs.filter_log_events(logGroupName=name)["events"]]
    lines = [json.loads(event["message"]) for event in events if '"CloudWatchMetrics"' in event["message"]]
    return {metric["Name"] for line in lines for one in line["_aws"]["CloudWatchMetrics"] for metric in one["Metrics"]}
