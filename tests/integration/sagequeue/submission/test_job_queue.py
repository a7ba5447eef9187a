"""Explicit submission: the queue gets the request that the job's SDK would send, and the options beside it."""

from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import JobQueue, QueueClient
from sagequeue.errors import InvalidSubmission, UnknownJob
from support.builders.processing_requests import a_processing_request
from support.builders.tuning_requests import a_tuning_request
from unit.sagequeue.builders.jobs import a_request


@pytest.fixture
def jobs(client: QueueClient, aws: FakeAws) -> JobQueue:
    return JobQueue(client)


@pytest.fixture
def estimator(monkeypatch: pytest.MonkeyPatch, aws: FakeAws) -> Any:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")  # importing SDK v2 warns that there is a v3
    from sagemaker.estimator import Estimator
    from sagemaker.session import Session

    no_telemetry = {"SchemaVersion": "1.0", "SageMaker": {"PythonSDK": {"Modules": {"TelemetryOptOut": True}}}}
    return Estimator(
        image_uri="image",
        role="arn:aws:iam::123456789012:role/Training",
        instance_count=1,
        instance_type="ml.g5.xlarge",
        output_path="s3://bucket/out",
        sagemaker_session=Session(boto3.Session(), default_bucket="bucket", sagemaker_config=no_telemetry),
    )


def test_a_request_goes_to_the_queue_as_it_is(jobs: JobQueue, queue: FakeQueue, aws: FakeAws) -> None:
    job = jobs.submit(a_request())
    assert (job.name, job.state) == ("resnet", "pending")
    assert (queue.requests["resnet"], queue.options["resnet"]) == (a_request(), {})
    assert aws.calls == []


def test_options_lie_beside_the_request_and_zero_is_a_priority(jobs: JobQueue, queue: FakeQueue) -> None:
    jobs.submit(a_request(), priority=0, never_preempt=True)
    assert queue.options["resnet"] == {"priority": 0, "never_preempt": True}
    assert queue.requests["resnet"] == a_request()


def test_options_of_a_job_go_before_those_of_its_queue(client: QueueClient, queue: FakeQueue) -> None:
    JobQueue(client, priority=3, checkpoint_interval=600).submit(a_request(), priority=5)
    assert queue.options["resnet"] == {"priority": 5, "checkpoint_interval": 600}


def test_a_job_is_described_with_the_session_of_the_given_client(
    queue: FakeQueue, aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")  # a default session has none
    client = QueueClient(session=boto3.Session(region_name="eu-west-1"))
    assert JobQueue(client).submit(a_request()).describe()["TrainingJobName"] == "resnet"


def test_a_request_can_get_another_name_and_other_inputs(jobs: JobQueue, queue: FakeQueue) -> None:
    request = a_request()
    jobs.submit(request, [{"ChannelName": "train"}], job_name="other")
    assert queue.requests["other"] == {**a_request("other"), "InputDataConfig": [{"ChannelName": "train"}]}
    assert request == a_request()


@pytest.mark.parametrize(
    ("request_", "member"),
    [(a_processing_request(), "ProcessingJobName"), (a_tuning_request(), "HyperParameterTuningJobName")],
)
def test_another_name_is_in_the_member_of_the_requests_kind(
    jobs: JobQueue, queue: FakeQueue, request_: dict[str, Any], member: str
) -> None:
    nameless = {name: value for name, value in request_.items() if name != member}
    jobs.submit(request_, job_name="renamed")
    jobs.submit(nameless, job_name="named")
    assert queue.requests == {name: {**nameless, member: name} for name in ("renamed", "named")}


def test_an_estimator_is_submitted_as_its_fit_would_be(
    jobs: JobQueue, estimator: Any, queue: FakeQueue, aws: FakeAws
) -> None:
    sent: list[Any] = []
    estimator.sagemaker_session._intercept_create_request = lambda request, *_: sent.append(request)
    estimator.fit("s3://bucket/data", wait=False, job_name="fitted")
    del estimator.sagemaker_session._intercept_create_request

    job = jobs.submit(estimator, "s3://bucket/data", job_name="fitted", priority=2)
    assert [queue.requests["fitted"]] == sent
    assert queue.options["fitted"] == {"priority": 2}
    assert aws.calls == []
    assert estimator.latest_training_job.name == job.name == "fitted"


@pytest.mark.usefixtures("queue_session")  # SDK v2's sleeps are the clock's ticks
def test_the_estimator_of_a_submitted_job_finds_its_model(jobs: JobQueue, estimator: Any, aws: FakeAws) -> None:
    attached = jobs.submit(estimator, job_name="resnet").get_estimator()
    assert attached.model_data == "s3://bucket/out/resnet-sq-2/output/model.tar.gz"
    assert attached.latest_training_job.describe()["TrainingJobName"] == "resnet"


def test_an_estimators_session_is_left_as_it_was(jobs: JobQueue, estimator: Any, aws: FakeAws) -> None:
    jobs.submit(estimator, job_name="queued")
    with pytest.raises(Exception, match="Requested resource not found"):
        estimator.fit(wait=False, job_name="straight")
    assert aws.operations == ["CreateTrainingJob"]


def test_another_threads_fit_on_the_same_session_meanwhile_goes_to_sagemaker(
    jobs: JobQueue, estimator: Any, queue: FakeQueue, aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, fit = copy(estimator), estimator.fit

    def fit_beside_another(*arguments: Any, **options: Any) -> None:
        with ThreadPoolExecutor() as threads:
            threads.submit(other.fit, wait=False, job_name="straight")
        fit(*arguments, **options)

    monkeypatch.setattr(estimator, "fit", fit_beside_another)
    assert jobs.submit(estimator, job_name="queued").name == "queued"
    assert set(queue.requests) == {"queued"}
    assert aws.asked("CreateTrainingJob")["TrainingJobName"] == "straight"


def test_an_estimator_of_a_pipeline_makes_no_job(jobs: JobQueue, estimator: Any, queue: FakeQueue) -> None:
    from sagemaker.workflow.pipeline_context import PipelineSession

    estimator.sagemaker_session = PipelineSession(boto3.Session(), default_bucket="bucket")
    with pytest.warns(UserWarning, match="Running within a PipelineSession"), pytest.raises(InvalidSubmission):
        jobs.submit(estimator)
    assert queue.requests == {}


def test_what_is_no_job_is_refused(jobs: JobQueue) -> None:
    with pytest.raises(InvalidSubmission, match="An object of type str cannot be submitted"):
        jobs.submit("resnet")


def test_one_job_is_mapped_over_parameters_as_one_array(jobs: JobQueue, queue: FakeQueue) -> None:
    request = a_request("sweep", HyperParameters={"lr": "${lr}"})
    made = jobs.map(request, {"lr": [0.1, 0.01, 0.001]}, at_most=2, most_failures=0, priority=1)
    assert [job.name for job in made] == ["sweep-0", "sweep-1", "sweep-2"]
    limits = {"at_most": 2, "most_failures": 0}
    sent = {"request": request, "parameters": {"lr": [0.1, 0.01, 0.001]}, "options": {"priority": 1}}
    assert [call.body for call in queue.calls] == [sent | limits]


def test_an_estimator_is_mapped_with_its_placeholders(jobs: JobQueue, estimator: Any, queue: FakeQueue) -> None:
    estimator.set_hyperparameters(lr="${lr}")
    made = jobs.map(estimator, [{"lr": 0.1}, {"lr": 0.01}], inputs="s3://bucket/${index}", job_name="sweep")
    assert [job.name for job in made] == ["sweep-0", "sweep-1"]
    (call,) = queue.calls
    assert "${lr}" in call.body["request"]["HyperParameters"]["lr"]
    data = call.body["request"]["InputDataConfig"][0]["DataSource"]["S3DataSource"]
    assert (data["S3Uri"], call.body["parameters"]) == ("s3://bucket/${index}", [{"lr": 0.1}, {"lr": 0.01}])


def test_a_refused_map_submits_nothing(jobs: JobQueue, queue: FakeQueue) -> None:
    queue.faults = [(400, {"error": "invalid_request", "message": "child 1: …", "field": "x", "remedy": "Fix it."})]
    with pytest.raises(InvalidSubmission, match="child 1"):
        jobs.map(a_request("sweep"), {"lr": [0.1, 0.01]})
    assert queue.requests == queue.arrays == {}


def test_jobs_are_found_again_by_name_and_listed(jobs: JobQueue) -> None:
    for name in ("a", "b"):
        jobs.submit(a_request(name))
    assert jobs.get_job("a").state == "pending"
    assert [job.name for job in jobs.list_jobs()] == ["a", "b"]
    assert [job.name for job in jobs.list_jobs(limit=1)] == ["a"]
    assert list(jobs.list_jobs(state="running")) == []
    with pytest.raises(UnknownJob):
        jobs.get_job("c")


def test_the_priority_of_a_submitted_job_can_be_changed(jobs: JobQueue, queue: FakeQueue) -> None:
    job = jobs.submit(a_request())
    job.update(priority=0)
    assert queue.priorities["resnet"] == 0
    job.update(max_runtime=60)
    assert queue.updates["resnet"] == {"max_runtime": 60}
