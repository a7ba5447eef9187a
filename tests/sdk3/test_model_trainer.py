"""SDK v3, unmodified, trains on the local SageMaker: straight, and through the queue."""

import io
import os
import subprocess
import tarfile
from pathlib import Path

import boto3

from local_account import LocalAccount

CHECKOUT = Path(__file__).parents[2]
PYTHON = CHECKOUT / ".venvs/sdk3/bin/python"
PROGRAM = Path(__file__).with_name("train_digits.py")
PATIENCE_SECONDS = 240  # the SDK's import alone can take many


def test_train_streams_the_log_and_ends_with_the_model(account: LocalAccount) -> None:
    done = train(account, "straight")
    assert "epoch 3/3: accuracy" in done.stderr
    assert "model.joblib" in artifact(account, done.stdout)


def test_train_waits_in_the_queue_and_ends_with_the_model_of_its_attempt(account: LocalAccount) -> None:
    done = train(account, "behind", "queued")
    assert done.stdout.strip().endswith("-sq-1/output/model.tar.gz")
    assert "model.joblib" in artifact(account, done.stdout)


def train(account: LocalAccount, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(  # noqa: S603 - our own program
        [PYTHON, PROGRAM, *words],
        cwd=CHECKOUT,
        env={**os.environ, **account.env()},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def artifact(account: LocalAccount, printed: str) -> list[str]:
    """The files in the archive whose address was printed."""
    bucket, _, key = printed.strip().removeprefix("Completed s3://").partition("/")
    settings = account.env()
    s3 = boto3.client(
        "s3",
        endpoint_url=settings["AWS_ENDPOINT_URL"],
        aws_access_key_id=settings["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=settings["AWS_SECRET_ACCESS_KEY"],
        region_name=settings["AWS_DEFAULT_REGION"],
    )
    with tarfile.open(fileobj=io.BytesIO(s3.get_object(Bucket=bucket, Key=key)["Body"].read())) as archive:
        return archive.getnames()
