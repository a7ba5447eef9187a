"""The SageMaker SDK, unmodified, against the endpoint."""

from pathlib import Path

import boto3
import pytest

from integration.local_sagemaker.endpoint import BUCKET, REGION, Endpoint

NO_TELEMETRY = {"SchemaVersion": "1.0", "SageMaker": {"PythonSDK": {"Modules": {"TelemetryOptOut": True}}}}
SCRIPT = """
import os, sys
print("trained with", *sys.argv[1:])
open(os.environ["SM_MODEL_DIR"] + "/weights", "w").write("1 2 3")
"""


def test_fit_streams_the_log_and_ends_with_the_model(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")  # importing SDK v2 warns that there is a v3
    from sagemaker.estimator import Estimator
    from sagemaker.session import Session

    source = tmp_path / "source"
    source.mkdir()
    (source / "train.py").write_text(SCRIPT)
    session = Session(
        boto3.Session(region_name=REGION),
        sagemaker_client=endpoint.client,
        default_bucket=BUCKET,
        sagemaker_config=NO_TELEMETRY,
    )
    estimator = Estimator(
        image_uri="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
        role="arn:aws:iam::000000000000:role/training",
        instance_count=1,
        instance_type="ml.m5.large",
        entry_point="train.py",
        source_dir=str(source),
        hyperparameters={"epochs": 3},
        sagemaker_session=session,
    )
    estimator.fit(wait=True, logs="All")
    assert "trained with --epochs 3" in capsys.readouterr().out
    assert endpoint.read_archive(estimator.model_data.removeprefix(f"s3://{BUCKET}/")) == {"weights": "1 2 3"}
