"""Reads the trials of a tuning job for the page, with the caller's own credentials."""

from threading import Lock
from typing import TYPE_CHECKING

import boto3

from sagequeue.contract.jobs import Job
from sagequeue.jobs.trials import Trials, read_trials

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_sagemaker import SageMakerClient


class JobTrials:
    """Reads the trials of jobs. Thread-safe."""

    def __init__(self, session: boto3.Session, region: str | None) -> None:
        self._session = session
        self._region = region
        self._once = Lock()
        self._made: SageMakerClient | None = None

    def of(self, job: Job) -> Trials:
        return read_trials(job, self._sagemaker)

    @property
    def _sagemaker(self) -> "SageMakerClient":
        with self._once:  # boto3 sessions are not thread-safe; a client is created only when trials are shown
            self._made = self._made or self._session.client("sagemaker", region_name=self._region)
            return self._made
