"""Services that know only attempts answer for the job: CloudWatch metrics and SSM's tags."""

from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS
from unit.sagequeue.builders.jobs import ARN, a_request

RUNNING, SECOND_LAUNCH, SECOND_ATTEMPT = 3, 6, 7
NAMESPACE = "/aws/sagemaker/TrainingJobs"


@pytest.fixture
def metrics(hooked: boto3.Session) -> Any:
    return hooked.client("cloudwatch")


def reach(stage: int, sagemaker: Any, clock: Clock) -> None:
    sagemaker.create_training_job(**a_request())
    clock.now = stage * STAGE_SECONDS


def statistics(metrics: Any, aws: FakeAws, value: str, *, name: str = "TrainingJobName", of: str = NAMESPACE) -> str:
    """The dimension's value that reaches CloudWatch."""
    dimensions = [{"Name": name, "Value": value}]
    metrics.get_metric_statistics(
        Namespace=of,
        MetricName="loss",
        Dimensions=dimensions,
        StartTime=0,
        EndTime=9,
        Period=60,
        Statistics=["Average"],
    )
    assert dimensions == [{"Name": name, "Value": value}]  # the caller's own
    return str(aws.calls[-1][1]["Dimensions"][0]["Value"])


@pytest.mark.parametrize(
    ("stage", "attempt"), [(RUNNING, "resnet-sq-1"), (SECOND_LAUNCH, "resnet-sq-1"), (SECOND_ATTEMPT, "resnet-sq-2")]
)
def test_metrics_are_those_of_the_last_attempt_that_trained(
    metrics: Any, sagemaker: Any, aws: FakeAws, clock: Clock, stage: int, attempt: str
) -> None:
    reach(stage, sagemaker, clock)
    assert statistics(metrics, aws, "resnet") == attempt
    assert statistics(metrics, aws, "resnet/algo-1", name="Host") == f"{attempt}/algo-1"


def test_metrics_of_a_job_that_never_trained_and_of_others_are_left_alone(
    metrics: Any, sagemaker: Any, aws: FakeAws
) -> None:
    sagemaker.create_training_job(**a_request())
    assert statistics(metrics, aws, "resnet") == "resnet"
    assert statistics(metrics, aws, "other") == "other"


def test_other_dimensions_and_namespaces_are_left_alone(
    metrics: Any, sagemaker: Any, aws: FakeAws, clock: Clock
) -> None:
    reach(RUNNING, sagemaker, clock)
    assert statistics(metrics, aws, "resnet", name="EndpointName") == "resnet"
    assert statistics(metrics, aws, "resnet", of="/aws/sagemaker/Endpoints") == "resnet"


def test_metric_queries_are_asked_for_the_attempt_too(metrics: Any, sagemaker: Any, aws: FakeAws, clock: Clock) -> None:
    reach(RUNNING, sagemaker, clock)
    metric = {"Namespace": NAMESPACE, "MetricName": "loss", "Dimensions": [{"Name": "Host", "Value": "resnet/algo-1"}]}
    queries = [
        {"Id": "a", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Average"}},
        {"Id": "b", "Expression": "a * 2"},
    ]
    metrics.get_metric_data(MetricDataQueries=queries, StartTime=0, EndTime=9)
    asked = aws.calls[-1][1]["MetricDataQueries"]
    assert asked[0]["MetricStat"]["Metric"]["Dimensions"] == [{"Name": "Host", "Value": "resnet-sq-1/algo-1"}]
    assert asked[1] == queries[1]
    assert metric["Dimensions"] == [{"Name": "Host", "Value": "resnet/algo-1"}]


def tags(session: boto3.Session, attempt: str) -> list[str]:
    found = session.client("ssm").list_tags_for_resource(ResourceType="ManagedInstance", ResourceId=attempt)
    return [tag["Value"] for tag in found["TagList"]]


def test_ssh_instances_of_the_last_attempt_bear_the_jobs_name(
    hooked: boto3.Session, sagemaker: Any, clock: Clock
) -> None:
    reach(SECOND_ATTEMPT, sagemaker, clock)
    assert tags(hooked, "resnet-sq-2") == ["resnet", ARN + "resnet"]
    assert tags(hooked, "resnet-sq-1") == ["resnet-sq-1", ARN + "resnet-sq-1"]  # gone, though SSM lists it


def test_ssh_instances_of_other_training_jobs_are_left_alone(hooked: boto3.Session) -> None:
    assert tags(hooked, "other-sq-1") == ["other-sq-1", ARN + "other-sq-1"]
    assert tags(hooked, "plain") == ["plain", ARN + "plain"]
