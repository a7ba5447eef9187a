"""Carries out the world's commands, each in a thread, and reports how they ended."""

import tarfile
import threading
from collections.abc import Callable
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError

from local_sagemaker.script_runner.failure import WorkFailed
from local_sagemaker.script_runner.training_run import TrainingRun, Workshop
from local_sagemaker.state_machine.commands import (
    Broke,
    Command,
    Discard,
    Kill,
    Prepare,
    Report,
    Run,
    Terminate,
    Upload,
)
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR

# What can be wrong with a request's S3 objects, archive, command or environment, none of it our fault.
_JOB_ERRORS = (WorkFailed, BotoCoreError, Boto3Error, ClientError, OSError, tarfile.TarError, ValueError)


class Crew:
    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._runs: dict[str, TrainingRun] = {}

    def carry_out(
        self, command: Command, request: dict[str, Any], arn: str, report: Callable[[str, Report], None]
    ) -> None:
        match command:
            case Prepare(name):
                self._spawn(lambda: self._prepare(name, request, arn), name, report)
            case Run(name):
                self._spawn(self._runs[name].train, name, report)
            case Upload(name):
                self._spawn(self._runs[name].upload, name, report)
            case Terminate(name):
                self._runs[name].terminate()
            case Kill(name):
                self._runs[name].kill()
            case Discard(name):
                self._discard(name)

    def disband(self) -> None:
        """Ends every process."""
        for run in list(self._runs.values()):
            run.kill()

    def _discard(self, name: str) -> None:
        run = self._runs.pop(name, None)
        if run is not None:
            threading.Thread(target=run.clean, name=name, daemon=True).start()

    def _prepare(self, name: str, request: dict[str, Any], arn: str) -> Report:
        self._runs[name] = TrainingRun(self._workshop, request, arn)
        return self._runs[name].prepare()

    def _spawn(self, step: Callable[[], Report], name: str, report: Callable[[str, Report], None]) -> None:
        threading.Thread(target=_carry_out, args=(step, name, report), name=name, daemon=True).start()


def _carry_out(step: Callable[[], Report], name: str, report: Callable[[str, Report], None]) -> None:
    outcome: Report = Broke(INTERNAL_ERROR)  # what the job is told should the step die of a mistake of ours
    try:
        outcome = step()
    except _JOB_ERRORS as error:
        outcome = Broke(f"ClientError: {error}")
    finally:
        report(name, outcome)
