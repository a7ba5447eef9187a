"""Makes the script's calls to the account.

Returns errors as answers. At the end, removes everything that it created.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, cast

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import ARN, IMAGE, NAME, OUTPUT, ROLE

Answer = dict[str, Any] | tuple[str, str]  # as in the table, where an error is a pair of code and text
TERMINAL = {"completed", "failed", "stopped"}
_LOG_GROUP = "/aws/sagemaker/TrainingJobs"
# The service allows one Create and one Stop per second for the whole account. Only the service validates parameters.
_PATIENT = Config(retries={"mode": "standard", "max_attempts": 10}, parameter_validation=False)
_AT_ONCE = Config(retries={"mode": "standard", "max_attempts": 1}, parameter_validation=False)


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a replay: an account, a region, and the role, bucket and image of its jobs."""

    region: str
    role: str
    bucket: str
    image: str
    run: str  # distinguishes the names of this run from those of other runs

    @property
    def prefix(self) -> str:
        """The prefix of every name of this run, including those in the bucket."""
        return f"conformance-{self.run}"

    def job_name(self, role: str) -> str:
        return f"{self.prefix}-{role}"

    def arn(self, name: str) -> str:
        partition, account = self.role.split(":")[1], self.role.split(":")[4]
        return f"arn:{partition}:sagemaker:{self.region}:{account}:training-job/{name}"

    def substituted(self, value: Any, name: str) -> Any:
        """Replaces the made-up job and account of the table with the job `name` of this target."""
        if isinstance(value, dict):
            return {key: self.substituted(member, name) for key, member in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.substituted(item, name) for item in value)
        return self._replaced(value, name) if isinstance(value, str) else value

    def _replaced(self, text: str, name: str) -> str:
        real = {
            ARN: self.arn(name),  # replaced before the name, which it contains
            ROLE: self.role,
            OUTPUT: f"s3://{self.bucket}/{self.prefix}",
            IMAGE: self.image,
            NAME: name,
        }
        return re.sub("|".join(map(re.escape, real)), lambda found: real[found[0]], text)


@dataclass(frozen=True, slots=True)
class Timing:
    poll_seconds: float = 2.0
    training_seconds: int = 60  # long enough to replay the rows of a running job
    timeout_seconds: float = 1800.0


class JobRefused(Exception):
    """The account refused one of the script's jobs."""


class Account:
    """The real account. At the end of its `with` block, it removes the created jobs, their objects and their logs."""

    def __init__(self, target: Target, session: boto3.Session, timing: Timing, endpoint_url: str | None = None) -> None:
        self.target = target
        self.timing = timing
        self._session = session
        self._patient = session.client("sagemaker", endpoint_url=endpoint_url, config=_PATIENT)
        self._impatient = session.client("sagemaker", endpoint_url=endpoint_url, config=_AT_ONCE)
        self._names: dict[str, None] = {}  # the names of the existing jobs, in order

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs that this run created and has not removed."""
        return list(self._names)

    @property
    def endpoint_url(self) -> str:
        return self._patient.meta.endpoint_url

    def create(self, request: dict[str, Any], name: str) -> None:
        answer = self.answer("create_training_job", self.target.substituted(request, name))
        if isinstance(answer, tuple):
            raise JobRefused(f"{name} was not accepted: {': '.join(answer)}")

    def answer(self, call: str, parameters: dict[str, Any], *, at_once: bool = False) -> Answer:
        """Returns the answer to one call. Repeats the call while the service throttles it, unless `at_once`."""
        client = self._impatient if at_once else self._patient
        try:
            answer = cast(Answer, getattr(client, call)(**parameters))
        except ClientError as error:
            answer = error.response["Error"]["Code"], error.response["Error"]["Message"]
        self._remember(call, parameters, answer)
        return answer

    def describe(self, name: str) -> dict[str, Any]:
        """Returns the description of the job, or an empty one if the job does not exist."""
        described = self.answer("describe_training_job", {"TrainingJobName": name})
        return described if isinstance(described, dict) else {}

    def state(self, name: str) -> str:
        """Returns the job's state, by the name that the table uses for it."""
        described = self.describe(name)
        status = described.get("TrainingJobStatus", "unknown")
        return str(described["SecondaryStatus"] if status == "InProgress" else status).lower()

    def wait_until(self, holds: Callable[[], bool]) -> float | None:
        """Waits until the condition holds. Returns the seconds it took, or None after the timeout."""
        start = time.monotonic()
        while not holds():
            if time.monotonic() - start > self.timing.timeout_seconds:
                return None
            time.sleep(self.timing.poll_seconds)
        return time.monotonic() - start

    def _clear(self) -> None:
        for name in self.jobs:
            self._remove(name)
        bucket = self._session.resource("s3").Bucket(self.target.bucket)
        bucket.objects.filter(Prefix=f"{self.target.prefix}/").delete()
        self._remove_logs()

    def _remember(self, call: str, parameters: dict[str, Any], answer: Answer) -> None:
        # A name in use may belong to this job: boto3 repeats a call whose answer was lost.
        if call == "create_training_job" and (isinstance(answer, dict) or answer[0] == "ResourceInUse"):
            self._names[parameters["TrainingJobName"]] = None
        elif call == "delete_training_job" and isinstance(answer, dict):
            del self._names[parameters["TrainingJobName"]]

    def _remove(self, name: str) -> None:
        self.wait_until(lambda: self.state(name) != "unknown")  # AWS does not document this delay
        if self.state(name) not in TERMINAL:
            self.answer("stop_training_job", {"TrainingJobName": name})
        self.wait_until(lambda: self.state(name) in TERMINAL)
        self._release_pool(name)
        self.answer("delete_training_job", {"TrainingJobName": name})

    def _release_pool(self, name: str) -> None:
        if self._has_pool(name):
            release = {"TrainingJobName": name, "ResourceConfig": {"KeepAlivePeriodInSeconds": 0}}
            self.answer("update_training_job", release)
            self.wait_until(lambda: not self._has_pool(name))

    def _has_pool(self, name: str) -> bool:
        return self.describe(name).get("WarmPoolStatus", {}).get("Status") in {"Available", "InUse"}

    def _remove_logs(self) -> None:
        logs = self._session.client("logs")
        pages = logs.get_paginator("describe_log_streams").paginate(
            logGroupName=_LOG_GROUP, logStreamNamePrefix=self.target.prefix
        )
        try:
            streams = [stream["logStreamName"] for page in pages for stream in page["logStreams"]]
        except logs.exceptions.ResourceNotFoundException:
            return  # no job of this account has ever written a log
        for stream in streams:
            logs.delete_log_stream(logGroupName=_LOG_GROUP, logStreamName=stream)
