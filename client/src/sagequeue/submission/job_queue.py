"""JobQueue: submits jobs explicitly, without changing any session, and returns a handle for each."""

from collections.abc import Iterator
from typing import Any, Unpack

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.contract.arrays import Parameters
from sagequeue.contract.jobs import JobFilter, JobOptions, OnEnd
from sagequeue.hooks.handlers import refuse_other_region
from sagequeue.jobs.submission_warnings import warn_of, with_source
from sagequeue.sdks.adapters import request_of
from sagequeue.submission.queued_job import QueuedJob


class JobQueue:
    """Submits SDK v2's estimators, v3's model trainers and plain Create requests.

    `defaults` are options for every job submitted here, such as `priority` and `never_preempt` (see `JobOptions`).
    The default session is that of `queue`, if given.
    """

    def __init__(
        self,
        queue: QueueClient | None = None,
        *,
        session: boto3.Session | None = None,
        **defaults: Unpack[JobOptions],
    ) -> None:
        self._queue = queue or QueueClient(session=session)
        self._session = session or self._queue.session
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
        """Submits `job`: an estimator, a model trainer or a request. `inputs` are the inputs for `fit` or `train`.

        The queue reports the end of the job to the receiver in `on_end`, such as a Step Functions task token. `options`
        override the defaults. Raises a QueueRefusal with the reason if the job is refused.
        """
        refuse_other_region(self._queue, self._session.region_name)
        request = request_of(job, inputs, job_name, experiment_config)
        given: JobOptions = {**self._defaults, **options}
        record = self._queue.submit(request, with_source(self._session, request, given or None), client_token, on_end)
        warn_of(self._session, record, request)
        return QueuedJob(self._queue, record["name"], self._session)

    def map(
        self,
        job: Any,
        parameters: Parameters,
        *,
        inputs: Any = None,
        job_name: str | None = None,
        at_most: int | None = None,
        most_failures: int | None = None,
        client_token: str | None = None,
        **options: Unpack[JobOptions],
    ) -> list[QueuedJob]:
        """Submits `job` once for each set of parameters, as an array. Returns its jobs in the order of the sets.

        The job has placeholders such as `${lr}`, for example in its hyperparameters. At most `at_most` jobs run at
        once. After more than `most_failures` failed jobs, no further job starts. If one job is refused, none is
        submitted.
        """
        refuse_other_region(self._queue, self._session.region_name)
        request = request_of(job, inputs, job_name)
        given: JobOptions = {**self._defaults, **options}
        with_code = with_source(self._session, request, given or None)
        limits = {"at_most": at_most, "most_failures": most_failures}
        array = self._queue.submit_array(request, parameters, with_code, **limits, client_token=client_token)
        names = (f"{array['name']}-{index}" for index in range(array["size"]))
        return [QueuedJob(self._queue, name, self._session) for name in names]

    def get_job(self, name: str) -> QueuedJob:
        """Returns a handle for the job. Raises UnknownJob."""
        return QueuedJob(self._queue, self._queue.get(name)["name"], self._session)

    def list_jobs(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Iterator[QueuedJob]:
        """Yields jobs in every state, unless filtered, in the order of QueueClient.list."""
        for record in self._queue.list(limit=limit, **filters):
            yield QueuedJob(self._queue, record["name"], self._session)
