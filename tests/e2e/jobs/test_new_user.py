"""From a wheel in an empty environment to a finished job, with the page docs/start/deploy.md only."""

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

FIRST_WORDS = "$ python -m venv"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The relevant folders of a checkout."""
    for folder in ("client", "examples"):
        shutil.copytree(CHECKOUT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    return tmp_path


def test_a_new_user_gets_a_finished_job(home: Path, rest_api: RestApi, sagemaker: SageMakerClient) -> None:
    done = in_a_new_shell(commands(), home)
    assert done.returncode == 0, done.stdout
    name = json.loads((home / "request.json").read_text())["TrainingJobName"]
    assert rest_api.job(name)["state"] == "completed"
    assert sagemaker.describe_training_job(TrainingJobName=f"{name}-sq-1")["TrainingJobStatus"] == "Completed"


def commands() -> list[str]:
    blocks = (CHECKOUT / "docs/start/deploy.md").read_text().split("```console\n")
    block = next(block for block in blocks if block.startswith(FIRST_WORDS)).partition("```")[0]
    lines = [line.removeprefix("$ ") for line in block.splitlines()]
    return [line for line in lines if not line.startswith("export ")]  # the local account's is in the environment


def answers() -> str:
    """Returns what the user answers to make_request.py: a role, an image and a bucket."""
    image = "000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1"
    return "\n".join([os.environ["SAGEQUEUE_LOCAL_ROLE"], image, os.environ["SAGEQUEUE_LOCAL_BUCKET"], ""])


def in_a_new_shell(lines: list[str], home: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.defpath])  # the first has `python`
    return subprocess.run(  # noqa: S603  # the page's commands
        ["/bin/bash", "-euxc", "\n".join(lines)],
        cwd=home,
        input=answers(),
        env={**os.environ, "PATH": path, "PIP_CONSTRAINT": str(CHECKOUT / "requirements" / "dev.txt")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
