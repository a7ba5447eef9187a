"""One job of the queue, for programs that submit explicitly."""

import time
from collections.abc import Iterator
from typing import Any

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import FINISHED, Attempt, Job
from sagequeue.errors import JobFailed
from sagequeue.hooks.installation import install
from sagequeue.jobs.attempts import last_attempt
from sagequeue.jobs.logs import EVERY, JobLog, LogLine, follow_log, read_log
from sagequeue.jobs.progress import follow_job, refuse_to_wait_longer
from sagequeue.sdks.adapters import attached_estimator, attached_trainer, is_estimator, is_trainer


class QueuedJob:
    """A handle that keeps only the job's name: every property asks the queue, so it is true when it is read."""

    def __init__(self, queue: QueueClient, name: str, session: boto3.Session, program: Any = None) -> None:
        """`program` is the estimator or trainer that the job was made from, if this process made it."""
        self._queue = queue
        self._session = session
        self._program = program
        self.name = name

    def __repr__(self) -> str:
        return f"QueuedJob({self.name!r})"

    @property
    def record(self) -> Job:
        """All that the queue knows of it (docs/api.md). Raises UnknownJob."""
        return self._queue.get(self.name)

    @property
    def arn(self) -> str:
        return self.record["arn"]

    @property
    def state(self) -> str:
        return self.record["state"]

    @property
    def position(self) -> int | None:
        """Its place among the jobs that wait, from 1; None for a job that does not wait."""
        return self.record["position"]

    @property
    def reason(self) -> str:
        """Why it is in its state."""
        return self.record["reason"]["message"]

    @property
    def attempts(self) -> list[Attempt]:
        return self.record["attempts"]

    @property
    def real_name(self) -> str | None:
        """The SageMaker training job of its last attempt; None before the first."""
        attempt = last_attempt(self.record)
        return attempt["name"] if attempt else None

    @property
    def model_artifacts(self) -> str | None:
        """Where its model is, once it has completed."""
        found: str | None = self.describe().get("ModelArtifacts", {}).get("S3ModelArtifacts")
        return found

    def describe(self) -> dict[str, Any]:
        """As DescribeTrainingJob, under the job's own name."""
        client = self._session.client("sagemaker")
        install(client, self._queue)
        return dict(client.describe_training_job(TrainingJobName=self.name))

    def wait(self, timeout: float | None = None, *, logs: bool = True) -> Job:
        """Print where it stands, and its log, until it has ended, over all its attempts.

        Raises StillRunning after `timeout` seconds. Ctrl-C only ends the waiting, and says how to go on.
        """
        log = JobLog(self._session.client("logs")) if logs else None
        try:
            for line in follow_job(self._queue, self.name, log, timeout):
                print(line, flush=True)
        except KeyboardInterrupt:
            print(f"\n{self.name} goes on in the queue. To wait again: `sagequeue logs --follow {self.name}`; ", end="")
            print(f"to stop it: `sagequeue cancel {self.name}`.", flush=True)
            raise
        return self.record

    def wait_until_running(self, timeout: float | None = None) -> str:
        """Wait until SageMaker runs it, and give the attempt's real name; of a job that has ended, the last one's.

        Raises StillRunning after `timeout` seconds, and JobFailed if it ended without any attempt.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while (job := self.record)["state"] not in {"running", *FINISHED}:
            refuse_to_wait_longer(job, deadline)
            time.sleep(EVERY)
        attempt = last_attempt(job)
        if attempt is None:
            raise _failed(job)
        return attempt["name"]

    def logs(self, *, follow: bool = False) -> Iterator[LogLine]:
        """What its attempts have written, with markers between them; with `follow` until the job has ended."""
        how = follow_log if follow else read_log
        return how(self._queue, self._session.client("logs"), self.name)

    def result(self, timeout: float | None = None) -> dict[str, Any]:
        """Wait quietly for its end and describe it. Raises JobFailed unless it has completed."""
        for _ in follow_job(self._queue, self.name, timeout=timeout):
            pass
        job = self.record
        if job["state"] != "completed":
            raise _failed(job)
        return self.describe()

    def stop(self) -> None:
        """Take it out of the queue, or stop it. Raises AlreadyFinished."""
        self._queue.cancel(self.name)

    def update(self, *, priority: int) -> None:
        self._queue.set_priority(self.name, priority)

    def get_estimator(self) -> Any:
        """SDK v2's estimator of this job: the one it was made from, else one that is attached to it."""
        return (
            self._program if is_estimator(self._program) else attached_estimator(self.name, self._queue, self._session)
        )

    def get_model_trainer(self) -> Any:
        """SDK v3's trainer of this job: the one it was made from, else one that would train the same again."""
        return self._program if is_trainer(self._program) else attached_trainer(self.name, self._queue, self._session)


def _failed(job: Job) -> JobFailed:
    remedy = f"`sagequeue show {job['name']}` and `sagequeue logs {job['name']}` tell more."
    return JobFailed(f"{job['name']} is {job['state']}: {job['reason']['message']}", remedy)
