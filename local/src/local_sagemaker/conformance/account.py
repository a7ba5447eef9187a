"""SageMaker as the script calls it: an error is an answer too, and whatever was made is cleared away."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, cast

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from local_sagemaker.conformance.target import Place

Answer = dict[str, Any] | tuple[str, str]  # as in the table: an error is its code and text
TERMINAL = {"completed", "failed", "stopped"}
_LOG_GROUP = "/aws/sagemaker/TrainingJobs"
# The service lets one Create and one Stop a second through, for the whole account; our own mistakes are its to find.
_PATIENT = Config(retries={"mode": "standard", "max_attempts": 10}, parameter_validation=False)
_AT_ONCE = Config(retries={"mode": "standard", "max_attempts": 1}, parameter_validation=False)


class JobRefused(Exception):
    """The account does not let the script's own jobs in."""


@dataclass(frozen=True, slots=True)
class Pace:
    poll_seconds: float = 2.0
    training_seconds: int = 60  # long enough to replay the rows of a running job
    patience_seconds: float = 1800.0


class Account:
    """At the end of its `with` all is removed that was made: jobs, their objects and their logs."""

    def __init__(self, place: Place, session: boto3.Session, pace: Pace, endpoint_url: str | None = None) -> None:
        self.place = place
        self.pace = pace
        self._session = session
        self._patient = session.client("sagemaker", endpoint_url=endpoint_url, config=_PATIENT)
        self._impatient = session.client("sagemaker", endpoint_url=endpoint_url, config=_AT_ONCE)
        self._names: dict[str, None] = {}  # of the jobs that exist, in order

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    @property
    def jobs(self) -> list[str]:
        """The names of those that this run made and has not removed."""
        return list(self._names)

    @property
    def endpoint_url(self) -> str:
        return self._patient.meta.endpoint_url

    def create(self, request: dict[str, Any], name: str) -> None:
        answer = self.answer("create_training_job", self.place.localised(request, name))
        if isinstance(answer, tuple):
            raise JobRefused(f"{name} was not accepted: {': '.join(answer)}")

    def answer(self, call: str, parameters: dict[str, Any], *, at_once: bool = False) -> Answer:
        """The answer to one call; without `at_once` only after waiting out the service's request rates."""
        client = self._impatient if at_once else self._patient
        try:
            answer = cast(Answer, getattr(client, call)(**parameters))
        except ClientError as error:
            answer = error.response["Error"]["Code"], error.response["Error"]["Message"]
        self._remember(call, parameters, answer)
        return answer

    def describe(self, name: str) -> dict[str, Any]:
        """Empty if there is no such job."""
        described = self.answer("describe_training_job", {"TrainingJobName": name})
        return described if isinstance(described, dict) else {}

    def state(self, name: str) -> str:
        """In the words of the table."""
        described = self.describe(name)
        status = described.get("TrainingJobStatus", "unknown")
        return str(described["SecondaryStatus"] if status == "InProgress" else status).lower()

    def until(self, holds: Callable[[], bool]) -> float | None:
        """The seconds it took; None if patience ended first."""
        start = time.monotonic()
        while not holds():
            if time.monotonic() - start > self.pace.patience_seconds:
                return None
            time.sleep(self.pace.poll_seconds)
        return time.monotonic() - start

    def _clear(self) -> None:
        for name in self.jobs:
            self._remove(name)
        bucket = self._session.resource("s3").Bucket(self.place.bucket)
        bucket.objects.filter(Prefix=f"{self.place.prefix}/").delete()
        self._remove_logs()

    def _remember(self, call: str, parameters: dict[str, Any], answer: Answer) -> None:
        # A name in use may be our own: boto3 repeats a call whose answer got lost.
        if call == "create_training_job" and (isinstance(answer, dict) or answer[0] == "ResourceInUse"):
            self._names[parameters["TrainingJobName"]] = None
        elif call == "delete_training_job" and isinstance(answer, dict):
            del self._names[parameters["TrainingJobName"]]

    def _remove(self, name: str) -> None:
        self.until(lambda: self.state(name) != "unknown")  # how soon a new job is described is not documented
        if self.state(name) not in TERMINAL:
            self.answer("stop_training_job", {"TrainingJobName": name})
        self.until(lambda: self.state(name) in TERMINAL)
        self.answer("delete_training_job", {"TrainingJobName": name})

    def _remove_logs(self) -> None:
        logs = self._session.client("logs")
        pages = logs.get_paginator("describe_log_streams").paginate(
            logGroupName=_LOG_GROUP, logStreamNamePrefix=self.place.prefix
        )
        try:
            streams = [stream["logStreamName"] for page in pages for stream in page["logStreams"]]
        except logs.exceptions.ResourceNotFoundException:
            return  # no job of the account has ever written a log
        for stream in streams:
            logs.delete_log_stream(logGroupName=_LOG_GROUP, logStreamName=stream)
