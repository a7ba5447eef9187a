"""Waits for the end of a job in Airflow's triggerer, without a worker."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from sagequeue.errors import AlreadyFinished, QueueUnreachable, Unavailable
from sagequeue_airflow.hooks import SageQueueHook
from sagequeue_airflow.jobs import ENDS, result_of


class JobEndTrigger(BaseTrigger):
    """Fires once the job has ended or is parked. The event has the job's result.

    With `cancel_on_kill`, it cancels the job if a user stops the deferred task.
    """

    def __init__(
        self, job_name: str, poll_interval: float, *, cancel_on_kill: bool, sagequeue_conn_id: str | None = None
    ) -> None:
        super().__init__()
        self.job_name = job_name
        self.poll_interval = poll_interval
        self.cancel_on_kill = cancel_on_kill
        self.sagequeue_conn_id = sagequeue_conn_id

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Returns the trigger as Airflow stores it."""
        return "sagequeue_airflow.triggers.JobEndTrigger", {
            "job_name": self.job_name,
            "poll_interval": self.poll_interval,
            "cancel_on_kill": self.cancel_on_kill,
            "sagequeue_conn_id": self.sagequeue_conn_id,
        }

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Asks the queue repeatedly until the job has ended, even if the queue cannot be reached for a moment."""
        queue = await asyncio.to_thread(lambda: SageQueueHook(self.sagequeue_conn_id).queue)
        while True:
            try:
                job = await asyncio.to_thread(queue.get, self.job_name)
            except (QueueUnreachable, Unavailable) as error:
                self.log.warning("The queue cannot be reached; asking again: %s", error)
            else:
                if job["state"] in ENDS:
                    yield TriggerEvent(result_of(job))
                    return
            await asyncio.sleep(self.poll_interval)

    async def on_kill(self) -> None:
        """Cancels the job if a user stops the deferred task."""
        if self.cancel_on_kill:
            await asyncio.to_thread(self._cancel)

    def _cancel(self) -> None:
        try:
            SageQueueHook(self.sagequeue_conn_id).queue.cancel(self.job_name)
        except AlreadyFinished:
            self.log.info("The job %s has already ended.", self.job_name)
