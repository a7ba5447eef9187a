"""SDK v2's use of a finished queued job, and its calls that are not about training jobs."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from unit.sagequeue.builders.jobs import a_request

pytestmark = pytest.mark.usefixtures("aws")

ROLE = "arn:aws:iam::123456789012:role/Training"

Make = Callable[..., Any]


@pytest.fixture
def preempted(make_estimator: Make, aws: FakeAws) -> Any:
    """An estimator whose job was preempted and then completed."""
    estimator = make_estimator()
    estimator.fit(job_name="resnet", logs="None")
    return estimator


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the SDK's own
def test_the_model_of_a_preempted_job_is_deployed(preempted: Any, aws: FakeAws) -> None:
    preempted.deploy(1, "ml.m5.large", wait=False)
    container = aws.asked("CreateModel")["PrimaryContainer"]
    assert container["ModelDataUrl"] == "s3://bucket/out/resnet-sq-2/output/model.tar.gz"
    assert aws.operations[-3:] == ["CreateModel", "CreateEndpointConfig", "CreateEndpoint"]


def test_the_analytics_of_a_preempted_job_are_those_of_its_last_attempt(preempted: Any, aws: FakeAws) -> None:
    aws.datapoints = [{"Timestamp": 1763719290.0, "Average": 0.25, "Unit": "None"}]
    table = preempted.training_job_analytics.dataframe()
    assert list(zip(table.metric_name, table.value, strict=True)) == [("loss", 0.25)]
    assert aws.asked("GetMetricStatistics")["Dimensions"] == [{"Name": "TrainingJobName", "Value": "resnet-sq-2"}]


def test_a_processor_goes_to_the_queue(queue_session: Any, aws: FakeAws, queue: FakeQueue) -> None:
    from sagemaker.processing import Processor

    processor = Processor(ROLE, "image", 1, "ml.m5.large", sagemaker_session=queue_session)
    processor.run(job_name="clean", wait=False, logs=False)
    assert queue.requests["clean"]["AppSpecification"]["ImageUri"] == "image"
    assert "CreateProcessingJob" not in aws.operations


def test_a_transformer_goes_to_sagemaker(queue_session: Any, aws: FakeAws, queue: FakeQueue) -> None:
    from sagemaker.transformer import Transformer

    transformer = Transformer("model", 1, "ml.m5.large", output_path="s3://bucket/out", sagemaker_session=queue_session)
    transformer.transform("s3://bucket/in", job_name="score", wait=False)
    assert aws.asked("CreateTransformJob")["TransformJobName"] == "score"
    assert queue.calls == []


def test_a_tuner_goes_to_the_queue(make_estimator: Make, aws: FakeAws, queue: FakeQueue) -> None:
    from sagemaker.tuner import ContinuousParameter, HyperparameterTuner

    rates = {"rate": ContinuousParameter(0.1, 0.2)}
    loss = [{"Name": "loss", "Regex": "loss=(.*)"}]
    tuner = HyperparameterTuner(make_estimator(), "loss", rates, metric_definitions=loss)
    tuner.fit(job_name="tune", wait=False)
    assert queue.requests["tune"]["HyperParameterTuningJobConfig"]["Strategy"] == "Bayesian"
    assert "CreateHyperParameterTuningJob" not in aws.operations


def test_a_pipelines_step_is_neither_sent_nor_queued(
    make_estimator: Make, hooked: boto3.Session, aws: FakeAws, queue: FakeQueue
) -> None:
    from sagemaker.workflow.pipeline_context import PipelineSession

    session = PipelineSession(boto_session=hooked, default_bucket="bucket")
    with pytest.warns(UserWarning, match="No Job being started"):
        make_estimator(sagemaker_session=session).fit(job_name="resnet")
    assert (aws.calls, queue.calls) == ([], [])


def test_local_mode_trains_on_this_machine(
    make_estimator: Make, hooked: boto3.Session, aws: FakeAws, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sagemaker.local import LocalSession

    trained: list[str] = []

    class Container:  # the SDK's own would start Docker
        container_entrypoint = container_arguments = None

        def __init__(self, instance_type: str, instance_count: int, *_: object, **__: object) -> None:
            self.instance_type, self.instance_count = instance_type, instance_count

        def train(self, *arguments: Any) -> str:
            trained.append(arguments[-1])
            return "file:///model.tar.gz"

    monkeypatch.setattr("sagemaker.local.local_session._SageMakerContainer", Container)
    session = LocalSession(boto_session=hooked, default_bucket="bucket")
    make_estimator(instance_type="local", sagemaker_session=session).fit(job_name="resnet", logs="None")
    assert trained == ["resnet"]
    assert (aws.calls, queue.calls) == ([], [])


@pytest.mark.usefixtures("queue_session")
def test_jumpstarts_estimators_without_a_session_are_queued(queue: FakeQueue, aws: FakeAws) -> None:
    from sagemaker.jumpstart.constants import DEFAULT_JUMPSTART_SAGEMAKER_SESSION as JUMPSTART

    JUMPSTART.sagemaker_client.create_training_job(**a_request())
    assert "resnet" in queue.requests
    assert aws.calls == []
