"""JobQueue: submits jobs explicitly, without a change to any session, and returns a handle for each."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import JobFilter, JobOptions, OnEnd
from sagequeue.errors import QueueError
from sagequeue.jobs.submission_warnings import warn_of, with_source
from sagequeue.sdks.adapters import is_trainer, request_of
from sagequeue.submission.queued_job import QueuedJob


class JobQueue:
    """Submits SDK v2's estimators, v3's model trainers and plain CreateTrainingJob requests.

    `defaults` are options of every job submitted here, such as `priority` and `never_preempt` (`JobOptions` has all).
    """

    def __init__(
        self,
        queue: QueueClient | None = None,
        *,
        session: boto3.Session | None = None,
        **defaults: Unpack[JobOptions],
    ) -> None:
        self._session = session or boto3.Session()
        self._queue = queue or QueueClient(session=self._session)
        self._defaults = defaults

    def submit(
        self,
        job: Any,
        inputs: Any = None,
        *,
        job_name: str | None = None,
        experiment_config: dict[str, str] | None = None,
        client_token: str | None = None,
        on_end: OnEnd | None = None,
        **options: Unpack[JobOptions],
    ) -> QueuedJob:
        """Submits `job`: an estimator, a model trainer or a request. `inputs` are those of `fit` or `train`.

        The queue reports the end of the job to `on_end`, such as a task token of Step Functions.
        `options` override the defaults. Raises a QueueRefusal with the reason if the job is refused.
        """
        request = request_of(job, inputs, job_name, experiment_config)
        given: JobOptions = {**self._defaults, **options}
        record = self._queue.submit(request, with_source(self._session, request, given or None), client_token, on_end)
        warn_of(self._session, record, request)
        return QueuedJob(self._queue, record["name"], self._session, program=job)

    def map(
        self,
        job: Any,
        inputs: Sequence[Any] | None = None,
        *,
        job_names: Sequence[str] | None = None,
        **options: Unpack[JobOptions],
    ) -> list[QueuedJob]:
        """Submits `job` once for each of `inputs`, or each job of a list with the input at the same index, if any.

        Stops at the first refusal. Jobs submitted before stay in the queue; a note on the error gives their number.
        """
        count = len(job) if isinstance(job, Sequence) else len(inputs or ())
        jobs = job if isinstance(job, Sequence) else [job] * count
        nothing: list[None] = [None] * count
        entries = list(
            zip(jobs, inputs or nothing, job_names or nothing, strict=True)
        )  # fails before anything is submitted
        submitted: list[QueuedJob] = []
        for entry, entry_inputs, name in entries:
            if submitted and is_trainer(entry):
                time.sleep(1)  # SDK v3's names and checkpoint paths differ only from second to second
            try:
                submitted.append(self.submit(entry, entry_inputs, job_name=name, **options))
            except QueueError as error:
                error.add_note(f"{len(submitted)} of {count} jobs are in the queue.")
                raise
        return submitted

    def get_job(self, name: str) -> QueuedJob:
        """Returns the handle of a job. Raises UnknownJob."""
        return QueuedJob(self._queue, self._queue.get(name)["name"], self._session)

    def list_jobs(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Iterator[QueuedJob]:
        """Yields jobs in every state, unless filtered, in the order of QueueClient.list."""
        for record in self._queue.list(limit=limit, **filters):
            yield QueuedJob(self._queue, record["name"], self._session)
