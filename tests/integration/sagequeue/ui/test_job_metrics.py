"""The metrics of an attempt, read from CloudWatch."""

from datetime import datetime, timedelta
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import LOSS, FakeAws
from integration.sagequeue.fakes.queue import PRICES
from sagequeue import QueueClient
from sagequeue.ui.job_metrics import POINTS, AttemptMetrics, Chart, JobMetrics
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

BEGAN = datetime.fromisoformat("2026-11-21T10:00:00Z")
NOW = BEGAN + timedelta(hours=2)


@pytest.fixture
def metrics(session: boto3.Session, client: QueueClient, aws: FakeAws) -> JobMetrics:
    del aws  # the session's calls reach it
    return JobMetrics(session, client)


def _a_job(*, kind: str = "ml.g5.xlarge", hosts: int = 1, ended: timedelta | None = None, **more: Any) -> Any:
    times = {"reserved_at": "2026-11-21T09:58:00Z", "training_started_at": BEGAN.isoformat()}
    end = (BEGAN + ended).isoformat() if ended else None
    attempts = [an_attempt(1, "preempted", ended_at="2026-11-21T09:50:00Z"), an_attempt(2, ended_at=end, **times)]
    request = {**a_request(), "AlgorithmSpecification": {"MetricDefinitions": [LOSS]}}
    return a_job("running", instances={kind: hosts}, attempts=attempts, request=request, **more)


def _chart(found: AttemptMetrics, name: str) -> Chart:
    (chart,) = (chart for chart in found["charts"] if chart["name"] == name)
    return chart


def test_a_host_and_the_metrics_of_the_log_are_read_for_the_last_attempt(metrics: JobMetrics, aws: FakeAws) -> None:
    host = "resnet-sq-2/algo-1"
    aws.metrics = {
        ("GPUUtilization", host): [70, 80.5],
        ("CPUUtilization", host): [250],
        ("loss", "resnet-sq-2"): [2.25, 1.123456789],
    }
    found = metrics.of(_a_job(), "", NOW)
    assert (found["attempt"], found["hosts"]) == ("resnet-sq-2", 1)
    assert [chart["name"] for chart in found["charts"]] == ["GPU", "CPU", "loss"]
    times = [round((BEGAN + timedelta(minutes=minute)).timestamp() * 1000) for minute in (0, 1)]
    lines: list[Any] = [{"name": "algo-1", "values": [70, 80.5]}]
    assert _chart(found, "GPU") == {"name": "GPU", "unit": "%", "times": times, "lines": lines}
    assert _chart(found, "CPU")["lines"][0]["values"] == [2.5]  # cores
    assert (_chart(found, "loss")["unit"], _chart(found, "loss")["lines"][0]["values"]) == ("", [2.25, 1.12346])


def test_gpu_metrics_are_divided_by_the_gpus_of_a_host(
    metrics: JobMetrics, aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = PRICES["prices"]["ml.g5.xlarge"]
    monkeypatch.setitem(PRICES["prices"], "ml.p4d.24xlarge", {**known, "gpus": 8})
    aws.metrics = {("GPUUtilization", "resnet-sq-2/algo-1"): [600]}
    assert _chart(metrics.of(_a_job(kind="ml.p4d.24xlarge"), "", NOW), "GPU")["lines"][0]["values"] == [75]
    assert _chart(metrics.of(_a_job(kind="ml.unknown.large"), "", NOW), "GPU")["lines"][0]["values"] == [600]


def test_of_many_hosts_the_first_are_read_each_as_a_line(metrics: JobMetrics, aws: FakeAws) -> None:
    aws.metrics = {("MemoryUtilization", f"resnet-sq-2/algo-{number}"): [number] * number for number in range(1, 9)}
    found = metrics.of(_a_job(hosts=8), "", NOW)
    assert found["hosts"] == 8
    assert _chart(found, "Memory")["lines"] == [
        {"name": "algo-1", "values": [1, None, None, None]},
        {"name": "algo-2", "values": [2, 2, None, None]},
        {"name": "algo-3", "values": [3, 3, 3, None]},
        {"name": "algo-4", "values": [4, 4, 4, 4]},
    ]


def test_another_attempt_is_read_and_a_job_without_one_has_no_metrics(metrics: JobMetrics, aws: FakeAws) -> None:
    assert metrics.of(_a_job(), "resnet-sq-1", NOW)["attempt"] == "resnet-sq-1"
    assert metrics.of(a_job(), "", NOW) == {"attempt": "", "hosts": 0, "charts": []}
    assert aws.operations == ["GetMetricData"]


@pytest.mark.parametrize(
    ("ran", "ago", "period"),
    [
        (timedelta(minutes=5), timedelta(), 60),
        (timedelta(hours=11), timedelta(), 120),
        (timedelta(hours=119), timedelta(), 20 * 60),
        (timedelta(hours=1), timedelta(days=20), 300),
        (timedelta(hours=1), timedelta(days=100), 3600),
    ],
)
def test_the_period_fits_a_chart_and_what_cloudwatch_still_has(
    metrics: JobMetrics, aws: FakeAws, ran: timedelta, ago: timedelta, period: int
) -> None:
    metrics.of(_a_job(ended=ran), "", BEGAN + ran + ago)
    asked = aws.asked("GetMetricData")
    assert {query["MetricStat"]["Period"] for query in asked["MetricDataQueries"]} == {period}
    assert asked["StartTime"] % period == 0
    assert (asked["EndTime"] - asked["StartTime"]) / period <= POINTS + 2
