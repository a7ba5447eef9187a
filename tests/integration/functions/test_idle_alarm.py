"""The idle_alarm function handles CloudWatch's events; alarms and metrics are in moto's CloudWatch."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from integration.functions.conftest import Context, configure
from local_sagemaker.simulation import Simulation
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.idle_gpus.watch import window_start
from scheduler.core.jobs.job_state import JobState
from scheduler.wiring import cycle, shared
from support.account.simulated_queue import request
from support.checkout import DATA

EVENTS = DATA / "events"
NAMESPACE = "/aws/sagemaker/TrainingJobs"
Alarm = Callable[[str], None]


@pytest.fixture
def idle_alarm(sagemaker: Simulation) -> Alarm:
    from idle_alarm.handler import handle

    sample = json.loads((EVENTS / "cloudwatch-alarm-sns-lambda-metric-math.json").read_text())

    def fire(name: str) -> None:
        message = json.loads(sample["Records"][0]["Sns"]["Message"]) | {"AlarmName": name}
        handle({"Records": [{"Sns": {**sample["Records"][0]["Sns"], "Message": json.dumps(message)}}]}, Context())

    return fire


@pytest.fixture
def trains(sagemaker: Simulation, call: Callable[..., Any]) -> str:
    """An attempt that has trained for an hour on two hosts with a GPU each."""
    from schedule.handler import handle

    configure(call, idle_gpus={"action": "stop"})
    call("POST", "/add-job", request("idle", kind="ml.g5.xlarge", instances=2))
    handle({"source": "sweep"}, Context())  # type: ignore[arg-type] # what the handler uses of it
    sagemaker.run(300)
    handle({"source": "sweep"}, Context())  # type: ignore[arg-type] # same
    return "idle-sq-1"


def test_an_idle_attempt_is_stopped_through_the_cycle(idle_alarm: Alarm, trains: str) -> None:
    put_usage(trains, {1: 0.0, 2: 0.5})
    idle_alarm(f"sagequeue-sq/{trains}/idle/1")
    job = shared.job_stores().jobs.get("idle")
    assert (job.status.state, job.status.reason.code) == (JobState.STOPPING, "idle_gpu")


def test_one_busy_host_is_enough_to_go_on(idle_alarm: Alarm, trains: str) -> None:
    put_usage(trains, {1: 0.0, 2: 70.0})
    idle_alarm(f"sagequeue-sq/{trains}/idle/1")
    assert shared.job_stores().jobs.get("idle").status.state is JobState.RUNNING


@pytest.mark.parametrize(
    "sample", ["cloudwatch-alarm-sns-ok-state", "cloudwatch-alarm-sns-lambda", "cloudwatch-alarm-sns-contributor"]
)
def test_what_is_not_about_our_attempts_changes_nothing(trains: str, sample: str) -> None:
    from idle_alarm.handler import handle

    before = shared.job_stores().jobs.get("idle")
    handle(json.loads((EVENTS / f"{sample}.json").read_text()), Context())
    assert shared.job_stores().jobs.get("idle") == before


@pytest.mark.parametrize("message", ["", "no JSON", "[]", "{}", '{"NewStateValue": "ALARM", "AlarmName": null}'])
def test_an_unreadable_message_is_dropped_and_the_others_are_handled(
    idle_alarm: Alarm, trains: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    from idle_alarm.handler import handle

    put_usage(trains, {1: 0.0, 2: 0.5})
    alarm = json.dumps({"NewStateValue": "ALARM", "AlarmName": f"sagequeue-sq/{trains}/idle/1"})
    handle({"Records": [{"Sns": {"MessageId": "1", "Message": text}} for text in (message, alarm)]}, Context())
    assert "dropped a message" in caplog.text
    assert shared.job_stores().jobs.get("idle").status.state is JobState.STOPPING


def test_the_sweep_makes_one_alarm_over_all_hosts_and_deletes_it_at_the_end(trains: str) -> None:
    cycle.idle_gpus().sweep(timedelta(minutes=1))
    (alarm,) = boto3.client("cloudwatch").describe_alarms()["MetricAlarms"]
    assert alarm["AlarmName"] == f"sagequeue-sq/{trains}/idle/1/1-15m"
    assert (alarm["Threshold"], alarm["EvaluationPeriods"], alarm["TreatMissingData"]) == (1.0, 3, "notBreaching")
    expression, *hosts = alarm["Metrics"]
    assert expression["Expression"] == "MAX([m1,m2])"
    assert [host["MetricStat"]["Metric"]["Dimensions"][0]["Value"] for host in hosts] == [
        f"{trains}/algo-1",
        f"{trains}/algo-2",
    ]


def test_the_sweep_puts_an_alarm_again_that_somebody_changed(trains: str) -> None:
    cloudwatch = boto3.client("cloudwatch")
    cycle.idle_gpus().sweep(timedelta(minutes=1))
    (before,) = cloudwatch.describe_alarms()["MetricAlarms"]
    members = ("AlarmName", "Metrics", "AlarmActions", "ComparisonOperator", "EvaluationPeriods", "Threshold")
    same: Any = {member: before[member] for member in members}  # type: ignore[literal-required] # members of an alarm
    changes: list[dict[str, Any]] = [{"Threshold": 40.0}, {"AlarmActions": []}, {"EvaluationPeriods": 1}]
    for change in changes:
        cloudwatch.put_metric_alarm(**{**same, **change})
        cycle.idle_gpus().sweep(timedelta(minutes=1))
        (after,) = cloudwatch.describe_alarms()["MetricAlarms"]
        assert {member: after[member] for member in members} == same  # type: ignore[literal-required] # as above


def put_usage(attempt: str, by_host: dict[int, float]) -> None:
    """For every minute of the window that is looked at."""
    now = datetime.now(UTC)
    minute = window_start(IdleRule(action=IdleAction.STOP), now)
    while minute < now:
        for host, value in by_host.items():
            boto3.client("cloudwatch").put_metric_data(
                Namespace=NAMESPACE,
                MetricData=[
                    {
                        "MetricName": "GPUUtilization",
                        "Dimensions": [{"Name": "Host", "Value": f"{attempt}/algo-{host}"}],
                        "Timestamp": minute,
                        "Value": value,
                    }
                ],
            )
        minute += timedelta(minutes=1)
