"""Waits for a job that another task, a person or another system has submitted."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from airflow.sdk import BaseSensorOperator, PokeReturnValue
from airflow.sdk.exceptions import AirflowException

from sagequeue_airflow.hooks import SageQueueHook
from sagequeue_airflow.jobs import COMPLETED, ENDS, failure_of, result_of
from sagequeue_airflow.triggers import JobEndTrigger


class SageQueueJobSensor(BaseSensorOperator):
    """Succeeds when the job has completed, and returns its result. It fails if the job fails, is stopped or is parked.

    It never cancels the job.
    """

    template_fields: Sequence[str] = ("job_name", "sagequeue_conn_id")

    def __init__(
        self, *, job_name: str, sagequeue_conn_id: str | None = None, deferrable: bool = True, **task: Any
    ) -> None:
        super().__init__(**task)
        self.job_name = job_name
        self.sagequeue_conn_id = sagequeue_conn_id
        self.deferrable = deferrable

    def execute(self, context: Any) -> Any:
        """Waits in the triggerer if the sensor is deferrable, otherwise on the worker."""
        if not self.deferrable:
            return super().execute(context)
        trigger = JobEndTrigger(
            self.job_name, self.poke_interval, cancel_on_kill=False, sagequeue_conn_id=self.sagequeue_conn_id
        )
        return self.defer(trigger=trigger, method_name="execute_complete", timeout=timedelta(seconds=self.timeout))

    def poke(self, _context: Any) -> PokeReturnValue:
        """Asks the queue once."""
        job = SageQueueHook(self.sagequeue_conn_id).queue.get(self.job_name)
        if job["state"] not in ENDS:
            return PokeReturnValue(is_done=False)
        return PokeReturnValue(is_done=True, xcom_value=self.execute_complete(_context, result_of(job)))

    def execute_complete(self, _context: Any, event: dict[str, Any]) -> dict[str, Any]:
        """Returns the result, or fails the task with the reason of the job."""
        if event["state"] != COMPLETED:
            raise AirflowException(failure_of(event))
        return event
