"""Trains through the queue in a task: submits a request, waits until the job has ended, and returns its result."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from airflow.sdk import BaseOperator
from airflow.sdk.exceptions import AirflowException

from sagequeue.contract.jobs import Job
from sagequeue.errors import AlreadyFinished, NameUsed
from sagequeue.jobs.polling import poll
from sagequeue_airflow.hooks import SageQueueHook
from sagequeue_airflow.jobs import COMPLETED, ENDS, failure_of, result_of
from sagequeue_airflow.triggers import JobEndTrigger


class SageQueueTrainingOperator(BaseOperator):
    """Submits a CreateTrainingJob request, waits until the job has ended, and returns its result.

    `request` and `job_options` are templates. The request's TrainingJobName identifies the job, so include the run in
    it, such as `train-{{ ts_nodash | lower }}`. A task that runs again under the same name continues with the same job:
    it waits for a live job, requeues a failed or stopped job, and returns the result of a completed job. So a lost
    worker never leads to a second job. If a user stops the task, the task cancels its job.
    """

    template_fields: Sequence[str] = ("request", "job_options", "sagequeue_conn_id")
    template_fields_renderers = {"request": "json", "job_options": "json"}  # noqa: RUF012 - as Airflow declares it

    def __init__(
        self,
        *,
        request: Mapping[str, Any],
        job_options: Mapping[str, Any] | None = None,
        sagequeue_conn_id: str | None = None,
        deferrable: bool = True,
        poll_interval: float = 30,
        cancel_on_kill: bool = True,
        **task: Any,
    ) -> None:
        super().__init__(**task)
        self.request = request
        self.job_options = job_options
        self.sagequeue_conn_id = sagequeue_conn_id
        self.deferrable = deferrable
        self.poll_interval = poll_interval
        self.cancel_on_kill = cancel_on_kill
        self._job_name: str | None = None

    @cached_property
    def hook(self) -> SageQueueHook:
        """The hook that calls the queue."""
        return SageQueueHook(self.sagequeue_conn_id)

    def execute(self, context: Any) -> dict[str, Any]:
        """Submits the job, or finds it, and waits for its end."""
        job = self._submitted()
        self._job_name = job["name"]
        self.log.info("The job %s is %s: %s", job["name"], job["state"], job["reason"]["message"])
        if self.deferrable and job["state"] not in ENDS:
            trigger = JobEndTrigger(
                job["name"],
                self.poll_interval,
                cancel_on_kill=self.cancel_on_kill,
                sagequeue_conn_id=self.sagequeue_conn_id,
            )
            self.defer(trigger=trigger, method_name="execute_complete", timeout=self.execution_timeout)
        return self.execute_complete(context, result_of(self._ended(job["name"])))

    def execute_complete(self, _context: Any, event: dict[str, Any]) -> dict[str, Any]:
        """Returns the result, or fails the task with the reason of the job."""
        if event["state"] != COMPLETED:
            raise AirflowException(failure_of(event))
        return event

    def on_kill(self) -> None:
        """Cancels the job if a user stops the task while it waits on a worker, or if the task times out there."""
        if self._job_name is None or not self.cancel_on_kill:
            return
        try:
            self.hook.queue.cancel(self._job_name)
        except AlreadyFinished:
            self.log.info("The job %s has already ended.", self._job_name)

    def _submitted(self) -> Job:
        job = self._created_or_found()
        if _is_being_cancelled(job):  # the task was cleared, and its earlier try has cancelled the job
            job = self._ended(job["name"])
        return self.hook.queue.requeue(job["name"]) if job["state"] in ENDS - {COMPLETED} else job

    def _created_or_found(self) -> Job:
        options: Any = dict(self.job_options) if self.job_options else None
        try:
            return self.hook.queue.submit(dict(self.request), options)
        except NameUsed:  # the queue has compared the requests as they were submitted
            job = self.hook.queue.get(self.request["TrainingJobName"])
            if not job["may_control"]:
                raise
            return job

    def _ended(self, name: str) -> Job:
        """Returns the job once it has ended. Occupies the worker until then."""
        polls = poll(self.hook.queue, name, self.poll_interval, self.log.warning)
        return next(job for job in polls if job["state"] in ENDS)


def _is_being_cancelled(job: Job) -> bool:
    return job["state"] == "stopping" and job["reason"]["code"] == "cancelled"
