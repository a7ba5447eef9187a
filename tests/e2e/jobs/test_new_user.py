"""From a wheel in an empty environment to a finished job, with the README only."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.checkout import CHECKOUT
from support.deployed.rest_api import RestApi

FIRST_WORDS = "$ pip wheel"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """What a checkout has that matters here; the example with a name of its own, as other tests submit it, too."""
    for folder in ("client", "examples"):
        shutil.copytree(CHECKOUT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    example = tmp_path / "examples" / "request.json"
    example.write_text(json.dumps({**json.loads(example.read_text()), "TrainingJobName": "first-job"}))
    return tmp_path


def test_a_new_user_gets_a_finished_job(home: Path, rest_api: RestApi, sagemaker: SageMakerClient) -> None:
    done = in_an_empty_environment(commands(), home)
    assert done.returncode == 0, done.stdout
    assert rest_api.job("first-job")["state"] == "completed"
    assert sagemaker.describe_training_job(TrainingJobName="first-job-sq-1")["TrainingJobStatus"] == "Completed"


def commands() -> list[str]:
    blocks = (CHECKOUT / "README.md").read_text().split("```console\n")
    block = next(block for block in blocks if block.startswith(FIRST_WORDS)).partition("```")[0]
    lines = [line.removeprefix("$ ") for line in block.splitlines()]
    return [line for line in lines if not line.startswith("export ")]  # the local account's is in the environment


def in_an_empty_environment(lines: list[str], home: Path) -> subprocess.CompletedProcess[str]:
    subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True)  # noqa: S603  # our own
    path = os.pathsep.join([str(home / "venv" / "bin"), os.defpath])
    return subprocess.run(  # noqa: S603  # the README's commands
        ["/bin/bash", "-euxc", "\n".join(lines)],
        cwd=home,
        env={**os.environ, "PATH": path, "PIP_CONSTRAINT": str(CHECKOUT / "requirements" / "dev.txt")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
