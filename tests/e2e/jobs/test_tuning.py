"""A tuner of SDK v2 waits in the queue, is preempted in the middle, continues with warm start, and deploys a model."""

import io
import tarfile
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.rest_api import RestApi
from support.deployed.trials import METRIC, PARALLEL, TRIALS, TrialScript
from support.deployed.tuning_jobs import PreemptedTuner

if TYPE_CHECKING:
    from sagequeue import QueueSession


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> TrialScript:
    return TrialScript(tmp_path_factory.mktemp("tuner"))


@pytest.fixture(scope="module")
def tuner(queue_session: "QueueSession", script: TrialScript) -> Any:
    from sagemaker.pytorch import PyTorch
    from sagemaker.tuner import ContinuousParameter, HyperparameterTuner

    estimator = PyTorch(
        entry_point="train.py",
        source_dir=str(script.source),
        framework_version="2.3",
        py_version="py311",
        role="SageMakerLocalRole",
        instance_type="ml.m5.large",
        instance_count=1,
        hyperparameters={"permits": str(script.permits)},
        sagemaker_session=queue_session,
    )
    return HyperparameterTuner(
        estimator,
        "accuracy",
        {"rate": ContinuousParameter(0.1, 0.9)},
        metric_definitions=[METRIC],
        strategy="Random",
        max_jobs=TRIALS,
        max_parallel_jobs=PARALLEL,
    )


@pytest.fixture(scope="module")
def best(tuner: Any, script: TrialScript, rest_api: RestApi, sagemaker: SageMakerClient) -> str:
    """Leads the tuner through a preemption, and returns the name of the best trial of both attempts."""
    story = PreemptedTuner("tuned", "ml.m5.large", script, rest_api, sagemaker)
    story.waits_behind_another_job(lambda: tuner.fit(job_name=story.name, wait=False))
    assert tuner.describe()["HyperParameterTuningJobStatus"] == "InProgress"
    story.runs_and_is_preempted()
    assert tuner.describe()["HyperParameterTuningJobStatus"] == "InProgress"
    story.continues()
    tuner.wait()
    return str(story.ended_with_every_trial_once()["TrainingJobName"])


def test_a_tuner_is_queued_preempted_and_continued(tuner: Any, best: str) -> None:
    assert tuner.best_training_job() == best
    assert tuner.best_estimator().model_data.endswith(f"/{best}/output/model.tar.gz")
    assert len(tuner.analytics().dataframe()) >= TRIALS


def test_the_best_model_of_all_attempts_is_deployed(tuner: Any, best: str, sagemaker: SageMakerClient) -> None:
    tuner.deploy(1, "ml.m5.large", endpoint_name="tuned-model")
    assert sagemaker.describe_endpoint(EndpointName="tuned-model")["EndpointStatus"] == "InService"
    config = sagemaker.describe_endpoint_config(EndpointConfigName="tuned-model")
    model = sagemaker.describe_model(ModelName=config["ProductionVariants"][0]["ModelName"])
    trial = sagemaker.describe_training_job(TrainingJobName=best)
    assert rate_in(model["PrimaryContainer"]["ModelDataUrl"]) == trial["HyperParameters"]["rate"].strip('"')


def rate_in(model_data: str) -> str:
    """Returns what the script of a trial wrote into its model, which SDK v2 packs again for its endpoint."""
    bucket, _, key = model_data.removeprefix("s3://").partition("/")
    content = boto3.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read()
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        file = archive.extractfile("rate")
        assert file is not None
        return file.read().decode()


def test_a_finished_tuner_is_attached_by_its_own_name(best: str, queue_session: "QueueSession") -> None:
    from sagemaker.tuner import HyperparameterTuner

    attached = HyperparameterTuner.attach("tuned", sagemaker_session=queue_session)
    assert attached.best_training_job() == best
