"""Carries out the commands of the state machine, each in a thread, and reports their outcome."""

import tarfile
import threading
from collections.abc import Callable
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError

from local_sagemaker.errors import JobError
from local_sagemaker.script_runner.processing_run import ProcessingRun
from local_sagemaker.script_runner.training_run import RunnerConfig, TrainingRun
from local_sagemaker.state_machine.commands import (
    Command,
    Discard,
    Kill,
    Prepare,
    Report,
    Run,
    RunFailed,
    Terminate,
    Upload,
)
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR

# Errors caused by a request's S3 objects, archive, command or environment, not by bugs in the emulator.
_JOB_ERRORS = (JobError, BotoCoreError, Boto3Error, ClientError, OSError, tarfile.TarError, ValueError)


class ScriptRunner:
    """Runs the scripts of all jobs as processes on this machine."""

    def __init__(self, config: RunnerConfig) -> None:
        self._config = config
        self._runs: dict[str, TrainingRun | ProcessingRun] = {}

    def carry_out(
        self, command: Command, request: dict[str, Any], arn: str, report: Callable[[str, Report], None]
    ) -> None:
        match command:
            case Prepare(name):
                self._spawn(lambda: self._prepare(name, request, arn), name, report)
            case Run(name):
                run = self._runs[name]
                self._spawn(lambda: run.run(lambda values: report(name, values)), name, report)
            case Upload(name):
                self._spawn(self._runs[name].upload, name, report)
            case Terminate(name):
                self._runs[name].terminate()
            case Kill(name):
                self._runs[name].kill()
            case Discard(name):
                self._discard(name)

    def kill_all(self) -> None:
        """Kills every process."""
        for run in list(self._runs.values()):
            run.kill()

    def _discard(self, name: str) -> None:
        run = self._runs.pop(name, None)
        if run is not None:
            threading.Thread(target=run.clean, name=name, daemon=True).start()

    def _prepare(self, name: str, request: dict[str, Any], arn: str) -> Report:
        kind = ProcessingRun if "ProcessingJobName" in request else TrainingRun
        self._runs[name] = kind(self._config, request, arn)
        return self._runs[name].prepare()

    def _spawn(self, step: Callable[[], Report], name: str, report: Callable[[str, Report], None]) -> None:
        threading.Thread(target=_carry_out, args=(step, name, report), name=name, daemon=True).start()


def _carry_out(step: Callable[[], Report], name: str, report: Callable[[str, Report], None]) -> None:
    outcome: Report = RunFailed(INTERNAL_ERROR)  # reported if the step fails because of a bug in the emulator
    try:
        outcome = step()
    except _JOB_ERRORS as error:
        outcome = RunFailed(f"ClientError: {error}")
    finally:
        report(name, outcome)
