"""Programs follow a queued tuning job under their own name, while SageMaker runs its attempts."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError

from integration.sagequeue.fakes.aws import NO_TELEMETRY
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from local_sagemaker.simulation import Simulation, Workload
from sagequeue import QueueClient, install
from sagequeue.contract.jobs import Attempt, Job
from support.builders.tuning_requests import ROLE, a_tuning_request
from unit.sagequeue.builders.jobs import a_job, an_attempt

NAME = "HyperParameterTuningJobName"
ARN = "arn:aws:sagemaker:eu-west-1:123456789012:training-job/sweep"


def attempt(number: int, outcome: str | None = None) -> Attempt:
    return an_attempt(number, outcome, name=f"sweep-sq-{number}")


def stage(state: str, code: str, attempts: Sequence[Attempt] = ()) -> Job:
    return a_job(state, code, kind="tuning", attempts=list(attempts))


LIFE = [
    stage("pending", "waits_for_budget"),
    stage("running", "running", [attempt(1)]),
    stage("preempted", "outranked", [attempt(1, "preempted")]),
    stage("running", "running", [attempt(1, "preempted"), attempt(2)]),
    stage("completed", "completed", [attempt(1, "preempted"), attempt(2, "completed")]),
]


def course(request: dict[str, Any]) -> Workload:
    return Workload(trains=600, epochs=({"loss": float(request["HyperParameters"]["rate"])},))


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(course)


@pytest.fixture
def sagemaker(simulation: Simulation, queue: FakeQueue) -> Any:
    """A client of a simulated account whose queue has preempted the tuning job and continued it with warm start."""
    queue.life = LIFE
    client = simulation.client()
    direct = simulation.client()
    install(client, QueueClient())
    client.create_hyper_parameter_tuning_job(**a_tuning_request())
    direct.create_hyper_parameter_tuning_job(**a_tuning_request("sweep-sq-1"))
    simulation.run(900)
    direct.stop_hyper_parameter_tuning_job(**{NAME: "sweep-sq-1"})
    simulation.run(900)
    parents = [{NAME: "sweep-sq-1"}]
    start = {"ParentHyperParameterTuningJobs": parents, "WarmStartType": "IdenticalDataAndAlgorithm"}
    direct.create_hyper_parameter_tuning_job(**a_tuning_request("sweep-sq-2", trials=2, WarmStartConfig=start))
    simulation.run(3600)
    return client


def at_stage(clock: Clock, number: int) -> None:
    clock.now = number * STAGE_SECONDS


def test_the_request_goes_to_the_queue(sagemaker: Any, queue: FakeQueue) -> None:
    assert queue.requests["sweep"] == a_tuning_request()


def test_a_waiting_tuning_job_is_described_from_the_queue(sagemaker: Any, clock: Clock) -> None:
    at_stage(clock, 0)
    description = sagemaker.describe_hyper_parameter_tuning_job(**{NAME: "sweep"})
    assert (description[NAME], description["HyperParameterTuningJobStatus"]) == ("sweep", "InProgress")
    static = description["TrainingJobDefinition"].pop("StaticHyperParameters")
    assert static == {"epochs": "3", "_tuning_objective_metric": "loss"}  # as SageMaker describes it
    assert description["TrainingJobDefinition"].items() <= a_tuning_request()["TrainingJobDefinition"].items()
    assert not sagemaker.list_training_jobs_for_hyper_parameter_tuning_job(**{NAME: "sweep"})["TrainingJobSummaries"]


@pytest.mark.parametrize(
    ("number", "status"), [(1, "InProgress"), (2, "InProgress"), (3, "InProgress"), (4, "Completed")]
)
def test_a_preempted_tuning_job_is_in_progress_until_it_ends(
    sagemaker: Any, clock: Clock, number: int, status: str
) -> None:
    at_stage(clock, number)
    description = sagemaker.describe_hyper_parameter_tuning_job(**{NAME: "sweep"})
    assert (description[NAME], description["HyperParameterTuningJobStatus"]) == ("sweep", status)
    assert "WarmStartConfig" not in description
    assert description["HyperParameterTuningJobConfig"] == a_tuning_request()["HyperParameterTuningJobConfig"]
    assert description["TrainingJobDefinition"]["StaticHyperParameters"]["_tuning_objective_metric"] == "loss"
    assert ("HyperParameterTuningEndTime" in description) == (status == "Completed")


def fail(client: Any, code: str) -> None:
    """SageMaker answers a description with this error."""
    error = {"Code": code, "Message": "for the test"}
    answer = AWSResponse("", 400, HTTPHeaders(), None), {"Error": error, "ResponseMetadata": {}}
    client.meta.events.register_first(
        "before-call.sagemaker.DescribeHyperParameterTuningJob", lambda **_: answer, unique_id="fails"
    )


@pytest.mark.parametrize("code", ["ResourceNotFound", "ValidationException", "AccessDeniedException"])
def test_an_attempt_that_sagemaker_does_not_show_is_described_from_the_queue(
    sagemaker: Any, clock: Clock, code: str
) -> None:
    at_stage(clock, 1)
    fail(sagemaker, code)
    description = sagemaker.describe_hyper_parameter_tuning_job(**{NAME: "sweep"})
    assert description["HyperParameterTuningJobStatus"] == "InProgress"


@pytest.mark.parametrize("code", ["ThrottlingException", "ExpiredTokenException", "InternalFailure"])
def test_any_other_error_of_a_description_is_the_programs(sagemaker: Any, clock: Clock, code: str) -> None:
    at_stage(clock, 4)
    fail(sagemaker, code)
    with pytest.raises(ClientError, match=code):
        sagemaker.describe_hyper_parameter_tuning_job(**{NAME: "sweep"})


def test_the_best_training_job_is_that_of_all_attempts(sagemaker: Any, clock: Clock) -> None:
    at_stage(clock, 4)
    description = sagemaker.describe_hyper_parameter_tuning_job(**{NAME: "sweep"})
    pages = sagemaker.get_paginator("list_training_jobs_for_hyper_parameter_tuning_job")
    listed = [child for page in pages.paginate(**{NAME: "sweep"}) for child in page["TrainingJobSummaries"]]
    assert {child["TuningJobName"] for child in listed} == {"sweep-sq-1", "sweep-sq-2"}
    values = {
        child["TrainingJobName"]: child["FinalHyperParameterTuningJobObjectiveMetric"]["Value"]
        for child in listed
        if child["TrainingJobStatus"] == "Completed"
    }
    assert len(values) == 4
    assert description["BestTrainingJob"]["TrainingJobName"] == min(values, key=lambda name: values[name])


def test_the_pages_lead_from_attempt_to_attempt(sagemaker: Any, clock: Clock, simulation: Simulation) -> None:
    at_stage(clock, 4)
    names: list[str] = []
    token: dict[str, str] = {}
    while True:
        simulation.run(5)  # SageMaker limits the rate of calls
        page = sagemaker.list_training_jobs_for_hyper_parameter_tuning_job(**{NAME: "sweep"}, MaxResults=1, **token)
        names += [child["TrainingJobName"] for child in page["TrainingJobSummaries"]]
        if "NextToken" not in page:
            break
        token = {"NextToken": page["NextToken"]}
    assert len({*names}) == len(names) == 6


def test_a_stop_cancels_the_job(sagemaker: Any, clock: Clock, queue: FakeQueue) -> None:
    at_stage(clock, 1)
    sagemaker.stop_hyper_parameter_tuning_job(**{NAME: "sweep"})
    assert queue.cancelled == {"sweep"}


def test_other_tuning_jobs_are_sagemakers_own(sagemaker: Any) -> None:
    description = sagemaker.describe_hyper_parameter_tuning_job(**{NAME: "sweep-sq-1"})
    assert (description[NAME], description["HyperParameterTuningJobStatus"]) == ("sweep-sq-1", "Stopped")


def test_sdk_v2_deploys_the_best_model_of_all_attempts(
    sagemaker: Any, clock: Clock, simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")  # importing SDK v2 warns that there is a v3
    from sagemaker.estimator import Estimator
    from sagemaker.session import Session
    from sagemaker.tuner import ContinuousParameter, HyperparameterTuner

    session = Session(sagemaker_client=sagemaker, default_bucket="bucket", sagemaker_config=NO_TELEMETRY)
    estimator = Estimator("image", ROLE, 1, "ml.m5.large", output_path="s3://bucket/out", sagemaker_session=session)
    rate = ContinuousParameter(0.001, 0.1)
    metrics = [{"Name": "loss", "Regex": "loss=([0-9.]+)"}]
    tuner = HyperparameterTuner(estimator, "loss", {"rate": rate}, metrics, objective_type="Minimize")
    tuner.latest_tuning_job = SimpleNamespace(name="sweep")  # as after `fit`; the SDK reads only the name
    at_stage(clock, 4)
    best = tuner.best_training_job()
    simulation.run(60)  # SageMaker limits the rate of calls
    tuner.deploy(1, "ml.m5.large", endpoint_name="live", wait=False)
    config = sagemaker.describe_endpoint_config(EndpointConfigName="live")
    model = sagemaker.describe_model(ModelName=config["ProductionVariants"][0]["ModelName"])
    artifacts = sagemaker.describe_training_job(TrainingJobName=best)["ModelArtifacts"]
    assert model["PrimaryContainer"]["ModelDataUrl"] == artifacts["S3ModelArtifacts"]
    assert f"/{best}/" in artifacts["S3ModelArtifacts"]
