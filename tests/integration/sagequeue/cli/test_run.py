"""`sagequeue run` queues an unchanged program's training jobs; it runs in a separate process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from unit.sagequeue.builders.jobs import a_request

PROGRAM = f"""
import sys
import boto3

for name, session in zip(sys.argv[1:], (boto3, boto3.Session(), boto3.session.Session())):
    session.client("sagemaker").create_training_job(**{{**{a_request()!r}, "TrainingJobName": name}})
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def run(*words: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from sagequeue.cli.main import main; main()", "run", *words]
    return subprocess.run(command, cwd=cwd, env={**os.environ}, capture_output=True, text=True, check=False)  # noqa: S603  # own code


def test_every_session_of_a_program_leads_to_the_queue(program: Path, queue: FakeQueue, aws: FakeAws) -> None:
    done = run(str(program), "a", "b", "c")
    assert done.returncode == 0, done.stderr
    assert set(queue.requests) == {"a", "b", "c"}
    assert aws.calls == []


def test_a_module_is_run_too_and_options_are_the_programs_own(program: Path, queue: FakeQueue, aws: FakeAws) -> None:
    program.write_text(PROGRAM.replace("sys.argv[1:]", 'sys.argv[1:] if sys.argv[1] != "--help" else ["helped"]'))
    assert run("-m", "program", "--help", cwd=program.parent).returncode == 0
    assert set(queue.requests) == {"helped"}


def test_without_a_queue_the_program_does_not_start(
    program: Path, aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGEQUEUE_API_URL", "not a url")
    done = run(str(program), "a")
    assert done.returncode == 4
    assert "is not a URL" in done.stderr
    assert aws.calls == []


def test_a_program_that_fails_ends_with_its_own_error(program: Path, queue: FakeQueue) -> None:
    program.write_text("import sys; sys.exit(3)")
    assert run(str(program)).returncode == 3


OWN_ERRORS = {
    "botocore.exceptions.ClientError({'Error': {'Code': 'AccessDenied', 'Message': 'No.'}}, 'GetObject')": 1,
    "botocore.exceptions.NoRegionError()": 1,
    "EOFError()": 1,
    "KeyboardInterrupt()": 130,
}


@pytest.mark.parametrize(("error", "exit_code"), OWN_ERRORS.items())
def test_an_error_of_the_program_looks_as_with_plain_python(
    program: Path, queue: FakeQueue, error: str, exit_code: int
) -> None:
    program.write_text(f"import botocore.exceptions\nraise {error}")
    done = run(str(program))
    assert done.returncode == exit_code
    assert "Traceback (most recent call last):" in done.stderr
    assert f'File "{program}", line 2, in <module>' in done.stderr
    assert done.stderr.splitlines()[-1].startswith(error.partition("(")[0])


def test_a_refusal_by_the_queue_keeps_its_short_form(program: Path, queue: FakeQueue, aws: FakeAws) -> None:
    queue.intake_open = False
    done = run(str(program), "a")
    assert (done.returncode, queue.requests) == (1, {})
    assert done.stderr.startswith("Error: The queue refuses new jobs.\nSubmit again after an operator")
    assert "Traceback" not in done.stderr
