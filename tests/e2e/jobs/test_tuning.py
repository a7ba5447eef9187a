"""A tuner of SDK v2 waits in the queue, is preempted in the middle, and continues with warm start."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

if TYPE_CHECKING:
    from sagequeue import QueueSession

TRIALS, SECONDS = 6, 4
SCRIPT = """
import argparse, os, time
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float)
parser.add_argument("--seconds", type=float)
options, _ = parser.parse_known_args()
time.sleep(options.seconds)
print(f"accuracy={1 - options.rate:.6f}", flush=True)
with open(os.path.join(os.environ["SM_MODEL_DIR"], "rate"), "w") as model:
    model.write(str(options.rate))
"""


@pytest.fixture(scope="module")
def tuner(queue_session: "QueueSession", tmp_path_factory: pytest.TempPathFactory) -> Any:
    from sagemaker.pytorch import PyTorch
    from sagemaker.tuner import ContinuousParameter, HyperparameterTuner

    folder: Path = tmp_path_factory.mktemp("source")
    (folder / "train.py").write_text(SCRIPT)
    estimator = PyTorch(
        entry_point="train.py",
        source_dir=str(folder),
        framework_version="2.3",
        py_version="py311",
        role="SageMakerLocalRole",
        instance_type="ml.m5.large",
        instance_count=1,
        hyperparameters={"seconds": SECONDS},
        sagemaker_session=queue_session,
    )
    return HyperparameterTuner(
        estimator,
        "accuracy",
        {"rate": ContinuousParameter(0.1, 0.9)},
        metric_definitions=[{"Name": "accuracy", "Regex": "accuracy=([0-9.]+)"}],
        strategy="Random",
        max_jobs=TRIALS,
        max_parallel_jobs=2,
    )


def children(sagemaker: SageMakerClient, attempt: str) -> list[Any]:
    """Returns the training jobs of a tuning job in SageMaker, which bypasses the queue."""
    listed = sagemaker.list_training_jobs_for_hyper_parameter_tuning_job(
        HyperParameterTuningJobName=attempt, MaxResults=100
    )
    return list(listed["TrainingJobSummaries"])


def completed(sagemaker: SageMakerClient, attempt: str) -> list[Any]:
    return [child for child in children(sagemaker, attempt) if child["TrainingJobStatus"] == "Completed"]


def test_a_tuner_is_queued_preempted_and_continued(
    tuner: Any, rest_api: RestApi, sagemaker: SageMakerClient, queue_session: "QueueSession"
) -> None:
    rest_api.submit(body("in-front-of-tuning", "sleep 300", instances=2))
    eventually(lambda: rest_api.job("in-front-of-tuning"), lambda job: job["state"] == "running")
    tuner.fit(job_name="tuned", wait=False)
    assert rest_api.job("tuned")["state"] == "pending"
    assert tuner.describe()["HyperParameterTuningJobStatus"] == "InProgress"
    rest_api.cancel("in-front-of-tuning")
    eventually(lambda: rest_api.job("tuned"), lambda job: job["state"] == "running")
    eventually(lambda: completed(sagemaker, "tuned-sq-1"), lambda done: len(done) >= 2)

    rest_api.submit(body("urgent-over-tuning", "sleep 3", instances=2, priority=9))
    eventually(lambda: rest_api.job("urgent-over-tuning"), lambda job: job["state"] == "running")
    assert rest_api.job("tuned")["state"] == "preempted"
    assert not [child for child in children(sagemaker, "tuned-sq-1") if child["TrainingJobStatus"] == "InProgress"]
    assert tuner.describe()["HyperParameterTuningJobStatus"] == "InProgress"

    tuner.wait()
    job = rest_api.job("tuned")
    assert (job["state"], [attempt["outcome"] for attempt in job["attempts"]]) == (
        "completed",
        ["preempted", "completed"],
    )
    done = completed(sagemaker, "tuned-sq-1") + completed(sagemaker, "tuned-sq-2")
    assert len(done) == TRIALS
    continued = sagemaker.describe_hyper_parameter_tuning_job(HyperParameterTuningJobName="tuned-sq-2")
    assert continued["WarmStartConfig"]["ParentHyperParameterTuningJobs"] == [
        {"HyperParameterTuningJobName": "tuned-sq-1"}
    ]
    best = max(done, key=lambda child: child["FinalHyperParameterTuningJobObjectiveMetric"]["Value"])
    assert tuner.best_training_job() == best["TrainingJobName"]
    model = tuner.best_estimator().model_data
    assert model.endswith(f"/{best['TrainingJobName']}/output/model.tar.gz")
    assert len(tuner.analytics().dataframe()) >= TRIALS


def test_a_finished_tuner_is_attached_by_its_own_name(tuner: Any, queue_session: "QueueSession") -> None:
    from sagemaker.tuner import HyperparameterTuner

    attached = HyperparameterTuner.attach("tuned", sagemaker_session=queue_session)
    assert attached.best_training_job() == tuner.best_training_job()
