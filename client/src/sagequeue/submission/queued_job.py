"""QueuedJob: a handle for one job, for programs that submit explicitly."""

import time
from collections.abc import Iterator
from typing import Any, Unpack

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import FINISHED, Attempt, Job, OptionChanges
from sagequeue.errors import JobFailed
from sagequeue.hooks.installation import forget_answers, install
from sagequeue.jobs.description import last_attempt
from sagequeue.jobs.logs import EVERY, JobLog, LogLine, check_deadline, follow_job, follow_log, read_log
from sagequeue.jobs.polling import poll
from sagequeue.sdks.adapters import attached_estimator, attached_trainer
from sagequeue.visible_text import visible


class QueuedJob:
    """A handle for one job. It holds only the job's name; each property asks the queue, so its value is current."""

    def __init__(self, queue: QueueClient, name: str, session: boto3.Session) -> None:
        self._queue = queue
        self._session = session
        self.name = name

    def __repr__(self) -> str:
        return f"QueuedJob({self.name!r})"

    @property
    def record(self) -> Job:
        """The queue's record of the job (docs/reference/rest.md). Raises UnknownJob."""
        return self._queue.get(self.name)

    @property
    def arn(self) -> str:
        """The job's ARN."""
        return self.record["arn"]

    @property
    def state(self) -> str:
        """The state of the job, such as `pending` (docs/reference/states.md)."""
        return self.record["state"]

    @property
    def position(self) -> int | None:
        """The position among waiting jobs, from 1; None if the job is not waiting."""
        return self.record["position"]

    @property
    def reason(self) -> str:
        """The reason for the job's state."""
        return self.record["reason"]["message"]

    @property
    def attempts(self) -> list[Attempt]:
        """The job's attempts, oldest first; the last attempt may be running."""
        return self.record["attempts"]

    @property
    def real_name(self) -> str | None:
        """The name of the SageMaker training job of the last attempt; None before the first."""
        attempt = last_attempt(self.record)
        return attempt["name"] if attempt else None

    @property
    def model_artifacts(self) -> str | None:
        """The S3 location of the model, once the training job has completed."""
        found: str | None = self.describe().get("ModelArtifacts", {}).get("S3ModelArtifacts")
        return found

    def describe(self) -> dict[str, Any]:
        """Describes the job as SageMaker's Describe call of its kind does, under the job's own name."""
        client = self._session.client("sagemaker", region_name=self._queue.region)
        install(client, self._queue)
        match self.record["kind"]:
            case "tuning":
                return dict(client.describe_hyper_parameter_tuning_job(HyperParameterTuningJobName=self.name))
            case "processing":
                return dict(client.describe_processing_job(ProcessingJobName=self.name))
        return dict(client.describe_training_job(TrainingJobName=self.name))

    def wait(self, timeout: float | None = None, *, logs: bool = True) -> Job:
        """Prints the job's status and the log of all its attempts, until it has ended.

        Raises StillRunning after `timeout` seconds. Ctrl-C ends only the waiting, and prints how to continue.
        """
        log = JobLog(self._session.client("logs", region_name=self._queue.region)) if logs else None
        try:
            for line in follow_job(self._queue, self.name, log, timeout):
                print(visible(line), flush=True)
        except KeyboardInterrupt:
            print(f"\n{self.name} stays in the queue. To wait again: `sagequeue logs --follow {self.name}`; ", end="")
            print(f"to stop it: `sagequeue cancel {self.name}`.", flush=True)
            raise
        forget_answers()
        return self.record

    def wait_until_running(self, timeout: float | None = None) -> str:
        """Waits until SageMaker runs the job or the job has ended. Returns the name of the job's last attempt.

        Raises StillRunning after `timeout` seconds, and JobFailed if the job ended without any attempt.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        for job in poll(self._queue, self.name, EVERY):
            if job["state"] in {"running", *FINISHED}:
                break
            check_deadline(job, deadline)
        attempt = last_attempt(job)
        if attempt is None:
            raise _failed(job)
        return attempt["name"]

    def logs(self, *, follow: bool = False) -> Iterator[LogLine]:
        """Yields the log of all attempts, with markers between them; with `follow`, until the job has ended."""
        lines_of = follow_log if follow else read_log
        return lines_of(self._queue, self._session.client("logs", region_name=self._queue.region), self.name)

    def result(self, timeout: float | None = None) -> dict[str, Any]:
        """Waits silently until the job has ended, and describes it. Raises JobFailed unless the job has completed."""
        for _ in follow_job(self._queue, self.name, timeout=timeout):
            pass
        forget_answers()
        job = self.record
        if job["state"] != "completed":
            raise _failed(job)
        return self.describe()

    def stop(self) -> None:
        """Removes the job from the queue, or stops it. Raises AlreadyFinished."""
        self._queue.cancel(self.name)

    def update(self, *, max_runtime: int | None = None, **options: Unpack[OptionChanges]) -> None:
        """Changes the waiting job's options, such as `priority=5`, or its time limit in seconds.

        While the job runs, only the priority, the retries, the deadline and the notices can change.
        """
        self._queue.update(self.name, options, max_runtime=max_runtime)

    def get_estimator(self) -> Any:
        """Waits until the job has ended, and returns an SDK v2 estimator that is attached to it.

        The session of the JobQueue is then routed through the queue, so that the estimator can describe the job.
        """
        return attached_estimator(self.name, self._queue, self._session)

    def get_model_trainer(self) -> Any:
        """Returns an SDK v3 trainer with the job's settings, which is attached to it.

        The session of the JobQueue is then routed through the queue, so that the trainer can describe the job.
        """
        return attached_trainer(self.name, self._queue, self._session)


def _failed(job: Job) -> JobFailed:
    remedy = f"See `sagequeue show {job['name']}` and `sagequeue logs {job['name']}`."
    return JobFailed(f"{job['name']} is {job['state']}: {job['reason']['message']}", remedy)
