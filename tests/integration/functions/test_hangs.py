"""The idle_alarm function checks an attempt that may hang: its metrics and log are in moto's CloudWatch."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber

from integration.functions.conftest import Context, configure
from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.cloudwatch_logs import CloudWatchLogs
from scheduler.core.idle_gpus.hangs.hang_check import LastLine
from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.watch import window_start
from scheduler.core.jobs.job_state import JobState
from scheduler.wiring import cycle, shared
from support.account.simulated_queue import request

GROUP = "/aws/sagemaker/TrainingJobs"
ATTEMPT = "hung-sq-1"
LONG_AGO, NOW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2026, 11, 28, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def trains(sagemaker: Simulation, call: Callable[..., Any]) -> None:
    """An attempt that has trained for an hour on two hosts without a GPU."""
    from schedule.handler import handle

    configure(call, hangs={"action": "stop-and-retry"})
    call("POST", "/add-job", request("hung", instances=2))
    handle({"source": "sweep"}, Context())  # type: ignore[arg-type] # what the handler uses of it
    sagemaker.run(300)
    handle({"source": "sweep"}, Context())  # type: ignore[arg-type] # same


@pytest.mark.usefixtures("trains")
def test_a_silent_attempt_that_uses_no_cpu_is_stopped() -> None:
    now = datetime.now(UTC)
    put_cpu_usage(2.0, now)
    write("algo-1-17", now - 30 * MINUTE)
    write("algo-2-17", now - 25 * MINUTE)
    check()
    job = shared.job_stores().jobs.get("hung")
    assert (job.status.state, job.status.reason.code) == (JobState.STOPPING, "hung")


@pytest.mark.usefixtures("trains")
@pytest.mark.parametrize(("usage", "silent_for"), [(2.0, 10 * MINUTE), (50.0, 30 * MINUTE)])
def test_a_new_line_or_a_busy_cpu_is_enough_to_go_on(usage: float, silent_for: timedelta) -> None:
    now = datetime.now(UTC)
    put_cpu_usage(usage, now)
    write("algo-1-17", now - 30 * MINUTE)
    write("algo-2-17", now - silent_for)
    check()
    assert shared.job_stores().jobs.get("hung").status.state is JobState.RUNNING


@pytest.mark.usefixtures("trains")
def test_the_sweep_makes_an_alarm_on_the_use_of_cpus() -> None:
    cycle.idle_gpus().sweep(timedelta(minutes=1))
    cycle.idle_gpus().sweep(timedelta(minutes=1))  # it leaves the alarm as it is
    (alarm,) = boto3.client("cloudwatch").describe_alarms()["MetricAlarms"]
    assert (alarm["AlarmName"], alarm["Threshold"]) == (f"sagequeue-sq/{ATTEMPT}/hang/1/5-20m", 5.0)
    metrics = [query["MetricStat"]["Metric"]["MetricName"] for query in alarm["Metrics"] if "MetricStat" in query]
    assert metrics == ["CPUUtilization"] * 2


def test_the_last_line_of_all_hosts_counts_and_only_since_the_given_time(table: str) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    write("algo-1-17", now - 9 * MINUTE, now - 7 * MINUTE)
    write("algo-2-17", now - 8 * MINUTE)
    logs = CloudWatchLogs(boto3.client("logs"))
    assert logs.last_line(ATTEMPT, LONG_AGO, now) == LastLine(now - 7 * MINUTE, now)
    assert logs.last_line(ATTEMPT, now - 5 * MINUTE, now) is None
    assert logs.last_line("hung-sq-10", LONG_AGO, now) is None


def test_a_throttled_read_of_many_hosts_continues_with_those_that_are_left() -> None:
    client = a_client()
    logs, later = CloudWatchLogs(client), NOW + 2 * MINUTE
    streams = {"logStreams": [{"logStreamName": name} for name in ("a", "b", "c")]}
    written = [{"events": [line(number)], "nextBackwardToken": "b/1"} for number in range(3)]
    with Stubber(client) as stubber:
        stubber.add_response("describe_log_streams", streams)
        for page in written[:2]:
            stubber.add_response("get_log_events", page)
        stubber.add_client_error("get_log_events", "ThrottlingException")
        assert logs.last_line(ATTEMPT, LONG_AGO, NOW) is None
        stubber.add_response("describe_log_streams", streams)
        stubber.add_response("get_log_events", written[2])
        assert logs.last_line(ATTEMPT, LONG_AGO, later) == LastLine(datetime.fromtimestamp(2, UTC), NOW)
        stubber.assert_no_pending_responses()


def test_lines_that_were_read_long_ago_are_read_again() -> None:
    client = a_client()
    logs, streams = CloudWatchLogs(client), {"logStreams": [{"logStreamName": "a"}, {"logStreamName": "b"}]}
    with Stubber(client) as stubber:
        for moment in (NOW, NOW + 11 * MINUTE):
            stubber.add_response("describe_log_streams", streams)
            stubber.add_response("get_log_events", {"events": [line(1)], "nextBackwardToken": "b/1"})
            stubber.add_client_error("get_log_events", "ThrottlingException")
            assert logs.last_line(ATTEMPT, LONG_AGO, moment) is None
        stubber.assert_no_pending_responses()


def test_an_empty_page_is_not_the_end_of_a_log() -> None:
    found: dict[str, Any] = {"events": [{"timestamp": 1000, "message": "step"}], "nextBackwardToken": "b/3"}
    pages: list[dict[str, Any]] = [
        {"events": [], "nextBackwardToken": "b/1"},
        {"events": [], "nextBackwardToken": "b/2"},
    ]
    assert read_from([*pages, found]) == datetime.fromtimestamp(1, UTC)


def test_a_log_with_too_many_pages_or_streams_is_unknown() -> None:
    assert read_from([{"events": [], "nextBackwardToken": f"b/{number}"} for number in range(10)]) is None
    assert read_from([], {"nextToken": "more"}) is None


def test_a_log_that_cannot_be_read_is_unknown(table: str) -> None:
    nowhere = boto3.client("logs", endpoint_url="http://127.0.0.1:1", config=Config(retries={"total_max_attempts": 1}))
    assert CloudWatchLogs(nowhere).last_line(ATTEMPT, LONG_AGO, NOW) is None


def read_from(pages: Sequence[dict[str, Any]], more: dict[str, str] | None = None) -> datetime | None:
    """Reads the last line of a single stream with these pages."""
    client = a_client()
    with Stubber(client) as stubber:
        stubber.add_response("describe_log_streams", {"logStreams": [{"logStreamName": "a"}], **(more or {})})
        for page in pages:
            stubber.add_response("get_log_events", page)
        last = CloudWatchLogs(client).last_line(ATTEMPT, LONG_AGO, NOW)
        return last.at if last else None


def a_client() -> Any:
    """Returns a client whose calls are not repeated."""
    once = Config(retries={"total_max_attempts": 1})
    session = boto3.Session(aws_access_key_id="a", aws_secret_access_key="b", region_name="eu-west-1")
    return session.client("logs", config=once)


def line(at: int) -> dict[str, Any]:
    return {"timestamp": at * 1000, "message": "step"}


def check() -> None:
    """Delivers the alarm."""
    from idle_alarm.handler import handle

    message = json.dumps({"AlarmName": f"sagequeue-sq/{ATTEMPT}/hang/1/5-20m", "NewStateValue": "ALARM"})
    handle({"Records": [{"Sns": {"MessageId": "1", "Message": message}}]}, Context())


def put_cpu_usage(percent: float, now: datetime) -> None:
    """Reports this use of CPUs for both hosts and every minute of the window."""
    minute = window_start(HangRule(), now)
    while minute < now:
        for host in (1, 2):
            dimensions: Any = [{"Name": "Host", "Value": f"{ATTEMPT}/algo-{host}"}]
            data: Any = {
                "MetricName": "CPUUtilization",
                "Dimensions": dimensions,
                "Timestamp": minute,
                "Value": percent,
            }
            boto3.client("cloudwatch").put_metric_data(Namespace=GROUP, MetricData=[data])
        minute += MINUTE


def write(host: str, *moments: datetime) -> None:
    logs = boto3.client("logs")
    if not logs.describe_log_groups(logGroupNamePrefix=GROUP)["logGroups"]:
        logs.create_log_group(logGroupName=GROUP)
    stream = f"{ATTEMPT}/{host}"
    logs.create_log_stream(logGroupName=GROUP, logStreamName=stream)
    events: Any = [{"timestamp": round(moment.timestamp() * 1000), "message": "step"} for moment in moments]
    logs.put_log_events(logGroupName=GROUP, logStreamName=stream, logEvents=events)
