"""Runs attempts of one script on the local SageMaker, and preempts them as the queue does."""

import random
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from botocore.config import Config
from botocore.exceptions import ClientError

from local_account import LocalAccount
from local_account.settings import REGION
from local_account.stack import ROLE_ARN
from local_sagemaker.script_runner.cloudwatch.logs import LOG_GROUP
from scheduler.adapters.aws.stop_objects import S3StopObjects
from scheduler.core.jobs.stop_notice import Save, StopNotice
from scheduler.core.requests.stop_notice.objects import RUN, MalformedAcknowledgement, save_in, stop_request
from scheduler.core.requests.stop_notice.variables import NoticeBucket, with_variables

_BUCKET = NoticeBucket("preempt-test", REGION)
_POLL_SECONDS = 0.1
_LATEST = 0.9  # share of an undisturbed training: at a later preemption, the training could have ended
# The package prints one of these lines when a training begins.
_BEGAN = r"^sagequeue_preempt: (?:begins at|resumes after) step (\d+)"
_RESUMED = r"^sagequeue_preempt: resumes after step (\d+)"
_IN_ITS_FOLDER = 'cd "$0" && exec "$@"'


@dataclass(frozen=True, slots=True)
class Script:
    path: Path
    arguments: tuple[str, ...]
    python: str
    metric: str | None  # a regular expression: in the last line that it matches, the first group is the final metric


@dataclass(frozen=True, slots=True)
class Preemption:
    asked_after: float  # seconds of training
    answered_within: float | None  # seconds from the notice to the complete save; None: no save in time
    unsaved_seconds: float  # seconds of training since the last save, if there was no save in time


@dataclass(frozen=True, slots=True)
class Attempt:
    """`saved_step` is the last acknowledged step, and `resumed_after` the step of the loaded checkpoint."""

    status: str
    failure: str
    says_begin: bool  # whether the log shows the beginning of training; without the package, it does not
    training_seconds: float  # from its first step on
    saved_seconds: float  # from its first step to the last save
    resumed_after: int | None
    saved_step: int | None
    metric: float | None
    preemption: Preemption | None


def moments(times: int, seed: int) -> list[float]:
    """Returns random moments of preemption, as fractions of the training: 0.5 is half."""
    chance = random.Random(seed)  # noqa: S311  # repeats a test
    return sorted(chance.uniform(0, _LATEST) for _ in range(times))


class Trainings:
    """Runs attempts of one script, with the scheduler's own code for notices and acknowledgements."""

    def __init__(self, account: LocalAccount, script: Script, notice_seconds: int) -> None:
        session, settings = account.session(), account.settings
        s3 = session.client("s3", endpoint_url=settings.endpoint, config=Config(s3={"addressing_style": "path"}))
        s3.create_bucket(Bucket=_BUCKET.name)
        self._objects = S3StopObjects(lambda: s3, _BUCKET)
        self._logs = session.client("logs", endpoint_url=settings.endpoint)
        self._sagemaker = session.client("sagemaker", endpoint_url=settings.sagemaker_endpoint)
        self._script = script
        self._notice_seconds = notice_seconds

    def run(
        self, name: str, checkpoints: str, preempt_after: float | None = None, *, says_begin: bool = True
    ) -> Attempt:
        """Runs an attempt to its end, or preempts it after these seconds of training.

        Without a line about the beginning of training, the seconds count from the start of the script.
        """
        self._objects.write(name, RUN)
        self._sagemaker.create_training_job(**_request(name, checkpoints, self._script))
        preemption = None
        if preempt_after is not None:
            began = self._trains_for(name, timedelta(seconds=preempt_after), says_begin=says_begin)
            preemption = self._preempt(name, began) if began else None
        while self._is_live(name):
            time.sleep(_POLL_SECONDS)
        return _attempt(self._described(name), self._save(name), preemption)

    def _trains_for(self, name: str, time_span: timedelta, *, says_begin: bool) -> datetime | None:
        """Waits until the attempt has trained for this long.

        Returns the time at which training began; None if the attempt ends first.
        """
        began = None
        while self._is_live(name):
            began = began or (self._begin_in_log(name) if says_begin else _started(self._described(name)))
            if began is not None and datetime.now(UTC) - began >= time_span:
                return began
            time.sleep(_POLL_SECONDS)
        return None

    def _begin_in_log(self, name: str) -> datetime | None:
        """Returns the time at which the package printed that the training of this attempt begins."""
        prefix = f"{name}/"
        try:
            streams = self._logs.describe_log_streams(logGroupName=LOG_GROUP, logStreamNamePrefix=prefix)["logStreams"]
        except self._logs.exceptions.ResourceNotFoundException:  # no attempt has written a log yet
            return None
        if not streams:
            return None
        names = [stream["logStreamName"] for stream in streams]
        events = self._logs.filter_log_events(logGroupName=LOG_GROUP, logStreamNames=names)["events"]
        found = (event["timestamp"] for event in events if re.search(_BEGAN, event["message"]))
        return next((datetime.fromtimestamp(at / 1000, UTC) for at in found), None)

    def _preempt(self, name: str, began: datetime) -> Preemption:
        """Requests a save, and stops the job after the answer, or at the end of the notice."""
        asked = datetime.now(UTC)
        notice = StopNotice(asked, asked + timedelta(seconds=self._notice_seconds))
        self._objects.write(name, stop_request(asked, self._notice_seconds))
        while not notice.is_answered_by(self._save(name)) and self._is_live(name):
            if datetime.now(UTC) >= notice.deadline:
                break
            time.sleep(_POLL_SECONDS)
        save, stopped = self._save(name), datetime.now(UTC)
        with suppress(ClientError):  # the job has just ended by itself
            self._sagemaker.stop_training_job(TrainingJobName=name)
        asked_after = (asked - began).total_seconds()
        if notice.is_answered_by(save):
            return Preemption(asked_after, (stopped - asked).total_seconds(), 0.0)
        return Preemption(asked_after, None, (stopped - (save.saved_at if save else began)).total_seconds())

    def _save(self, name: str) -> Save | None:
        """Returns the save that the script reported. Ignores a malformed report, as the queue does."""
        acknowledgement = self._objects.acknowledgement(name)
        try:
            save = save_in(acknowledgement, name, datetime.now(UTC)) if acknowledgement else None
        except MalformedAcknowledgement:
            return None
        return save if save is not None and save.step is not None else None  # a report without a step marks the start

    def _is_live(self, name: str) -> bool:
        return self._described(name)["TrainingJobStatus"] in {"InProgress", "Stopping"}

    def _described(self, name: str) -> dict[str, Any]:
        return dict(self._sagemaker.describe_training_job(TrainingJobName=name))


def _started(job: dict[str, Any]) -> datetime | None:
    """Returns the time at which the script started."""
    steps: list[dict[str, Any]] = job["SecondaryStatusTransitions"]
    return next((step["StartTime"] for step in steps if step["Status"] == "Training"), None)


def _attempt(job: dict[str, Any], save: Save | None, preemption: Preemption | None) -> Attempt:
    metrics = {found["MetricName"]: found for found in job.get("FinalMetricDataList", [])}
    ended: datetime = job["TrainingEndTime"]
    started = _started(job) or ended
    began: datetime = metrics["began"]["Timestamp"] if "began" in metrics else started
    return Attempt(
        status=job["TrainingJobStatus"],
        failure=job.get("FailureReason", ""),
        says_begin="began" in metrics,
        training_seconds=(ended - began).total_seconds(),
        saved_seconds=(save.saved_at - began).total_seconds() if save else 0.0,
        resumed_after=int(metrics["resumed"]["Value"]) if "resumed" in metrics else None,
        saved_step=save.step if save else None,
        metric=metrics["metric"]["Value"] if "metric" in metrics else None,
        preemption=preemption if job["TrainingJobStatus"] == "Stopped" else None,
    )


def _request(name: str, checkpoints: str, script: Script) -> dict[str, Any]:
    expressions = {"began": _BEGAN, "resumed": _RESUMED, "metric": script.metric}
    words = [_IN_ITS_FOLDER, str(script.path.parent), script.python, str(script.path), *script.arguments]
    request = {
        "TrainingJobName": name,
        "RoleArn": ROLE_ARN,
        "AlgorithmSpecification": {
            "TrainingImage": "this-machine",
            "TrainingInputMode": "File",
            "ContainerEntrypoint": ["/bin/sh", "-c"],
            "ContainerArguments": words,
            "MetricDefinitions": [{"Name": key, "Regex": regex} for key, regex in expressions.items() if regex],
        },
        "Environment": {"SAGEQUEUE_POLL_SECONDS": str(_POLL_SECONDS)},
        "CheckpointConfig": {"S3Uri": f"s3://{_BUCKET.name}/checkpoints/{checkpoints}"},
        "OutputDataConfig": {"S3OutputPath": f"s3://{_BUCKET.name}/output"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 432_000},
    }
    return with_variables(request, _BUCKET.variables(name, request))
