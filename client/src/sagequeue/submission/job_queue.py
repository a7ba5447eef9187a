"""Submitting explicitly: no session is changed, and every job comes back as a handle."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import JobFilter, JobOptions
from sagequeue.errors import QueueError
from sagequeue.sdks.adapters import is_trainer, request_of
from sagequeue.submission.queued_job import QueuedJob


class JobQueue:
    """A queue that takes SDK v2's estimators, v3's model trainers and plain CreateTrainingJob requests.

    `defaults` are options for every job that is submitted here: priority, hold, never_preempt, checkpoint_interval.
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
        **options: Unpack[JobOptions],
    ) -> QueuedJob:
        """Put `job` into the queue: an estimator, a model trainer or a request. `inputs` are those of `fit` or `train`.

        A priority of 0 is a priority. Raises a QueueRefusal that says why if it may not be submitted.
        """
        request = request_of(job, inputs, job_name, experiment_config)
        given: JobOptions = {**self._defaults, **options}
        record = self._queue.submit(request, given or None, client_token)
        return QueuedJob(self._queue, record["name"], self._session, program=job)

    def map(
        self,
        job: Any,
        inputs: Sequence[Any] | None = None,
        *,
        job_names: Sequence[str] | None = None,
        **options: Unpack[JobOptions],
    ) -> list[QueuedJob]:
        """Submit `job` once for each of `inputs`; or a list of jobs, each with the input in its place, if any.

        A refusal ends it; what was submitted before stays in the queue, and the error says how much that is.
        """
        count = len(job) if isinstance(job, Sequence) else len(inputs or ())
        jobs = job if isinstance(job, Sequence) else [job] * count
        nothing: list[None] = [None] * count
        places = list(zip(jobs, inputs or nothing, job_names or nothing, strict=True))  # before anything is submitted
        submitted: list[QueuedJob] = []
        for one, its_input, name in places:
            if submitted and is_trainer(one):
                time.sleep(1)  # SDK v3 makes names, and paths of checkpoints, that differ from second to second only
            try:
                submitted.append(self.submit(one, its_input, job_name=name, **options))
            except QueueError as error:
                error.add_note(f"{len(submitted)} of {count} jobs are in the queue.")
                raise
        return submitted

    def get_job(self, name: str) -> QueuedJob:
        """Raises UnknownJob."""
        return QueuedJob(self._queue, self._queue.get(name)["name"], self._session)

    def list_jobs(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Iterator[QueuedJob]:
        """Jobs in every state, unless a filter says otherwise, in the order of QueueClient.list."""
        for record in self._queue.list(limit=limit, **filters):
            yield QueuedJob(self._queue, record["name"], self._session)
