"""The SageMaker SDK, unmodified, against the endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from integration.local_sagemaker.endpoint import BUCKET, REGION, Endpoint

if TYPE_CHECKING:
    from sagemaker.estimator import Estimator
    from sagemaker.session import Session

NO_TELEMETRY = {"SchemaVersion": "1.0", "SageMaker": {"PythonSDK": {"Modules": {"TelemetryOptOut": True}}}}
SCRIPT = """
import os, sys
print("trained with", *sys.argv[1:])
open(os.environ["SM_MODEL_DIR"] + "/weights", "w").write("1 2 3")
"""
TUNED = """
import argparse, os
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
parser.add_argument("--epochs", type=int)
options = parser.parse_args()
open(os.environ["SM_MODEL_DIR"] + "/weights", "w").write(str(options.lr))
print(f"accuracy={1 - options.lr}")
"""


def a_session(endpoint: Endpoint) -> Session:
    from sagemaker.session import Session

    return Session(
        boto3.Session(region_name=REGION),
        sagemaker_client=endpoint.client,
        default_bucket=BUCKET,
        sagemaker_config=NO_TELEMETRY,
    )


def an_estimator(endpoint: Endpoint, folder: Path, script: str, **hyperparameters: int) -> Estimator:
    from sagemaker.estimator import Estimator

    source = folder / "source"
    source.mkdir()
    (source / "train.py").write_text(script)
    return Estimator(
        image_uri="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
        role="arn:aws:iam::000000000000:role/training",
        instance_count=1,
        instance_type="ml.m5.large",
        entry_point="train.py",
        source_dir=str(source),
        hyperparameters=hyperparameters,
        sagemaker_session=a_session(endpoint),
    )


def test_fit_streams_the_log_and_ends_with_the_model(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")  # importing SDK v2 warns that there is a v3
    estimator = an_estimator(endpoint, tmp_path, SCRIPT, epochs=3)
    estimator.fit(wait=True, logs="All")
    assert "trained with --epochs 3" in capsys.readouterr().out
    assert endpoint.read_archive(estimator.model_data.removeprefix(f"s3://{BUCKET}/")) == {"weights": "1 2 3"}


def test_a_tuner_fits_and_can_be_attached_again(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")
    from sagemaker.tuner import ContinuousParameter, HyperparameterTuner, WarmStartConfig, WarmStartTypes

    estimator = an_estimator(endpoint, tmp_path, TUNED, epochs=3)
    settings: dict[str, Any] = {
        "objective_metric_name": "accuracy",
        "hyperparameter_ranges": {"lr": ContinuousParameter(0.01, 0.9)},
        "metric_definitions": [{"Name": "accuracy", "Regex": "accuracy=([0-9.]+)"}],
        "max_jobs": 3,
        "max_parallel_jobs": 2,
    }
    tuner = HyperparameterTuner(estimator, **settings)
    tuner.fit()
    best = tuner.best_training_job()
    rates = tuner.analytics().dataframe().set_index("TrainingJobName")["lr"]
    assert best == rates.idxmin()
    attached = HyperparameterTuner.attach(
        str(tuner.latest_tuning_job.name), sagemaker_session=estimator.sagemaker_session
    )
    assert attached.best_training_job() == best
    assert attached.best_estimator().model_data == f"s3://{BUCKET}/{best}/output/model.tar.gz"
    parents = WarmStartConfig(WarmStartTypes.IDENTICAL_DATA_AND_ALGORITHM, parents={tuner.latest_tuning_job.name})
    child = HyperparameterTuner(estimator, **settings, warm_start_config=parents)
    child.fit(job_name="child")
    overall = child.describe()["OverallBestTrainingJob"]
    assert overall["FinalHyperParameterTuningJobObjectiveMetric"]["Value"] >= 1 - rates.min()


COUNTING = """
import os
found = sorted(os.listdir(os.environ["SM_PROCESSING_DIR"] + "/input/rows"))
open(os.environ["SM_PROCESSING_DIR"] + "/output/found.txt", "w").write(" ".join(found))
"""


def test_a_processor_runs_a_script(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")
    from sagemaker.processing import ProcessingInput, ProcessingOutput, ScriptProcessor

    script = tmp_path / "count.py"
    script.write_text(COUNTING)
    endpoint.s3.put_object(Bucket=BUCKET, Key="rows/a.csv", Body=b"1")
    processor = ScriptProcessor(
        image_uri="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
        command=["python3"],
        role="arn:aws:iam::000000000000:role/training",
        instance_count=1,
        instance_type="ml.m5.large",
        sagemaker_session=a_session(endpoint),
    )
    processor.run(
        code=str(script),
        inputs=[ProcessingInput(source=f"s3://{BUCKET}/rows", destination="/opt/ml/processing/input/rows")],
        outputs=[ProcessingOutput(source="/opt/ml/processing/output", destination=f"s3://{BUCKET}/found")],
        logs=False,
    )
    assert endpoint.read("found/found.txt") == b"a.csv"
