"""Records what SageMaker's state-change events report, as a hint: the cycle polls SageMaker itself."""

from typing import Any

from scheduler.adapters.aws.sagemaker_events import observation_of, unmanaged_job_of
from scheduler.core.jobs.attempt import Observation
from scheduler.core.reconciliation.polling import writer_of_observation
from scheduler.core.reconciliation.unmanaged_job import GuardMode, UnmanagedJob
from scheduler.errors.internal import BadEvent
from scheduler.wiring import shared


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    try:
        if "unmanaged_job" in event:
            shared.unmanaged_job_store().add_unchecked(unmanaged_job_of(event), by="training_events")
        else:
            _record(*observation_of(event))
    except BadEvent as error:
        # A retry would fail again. The payload may hold secrets and is not logged.
        shared.logger().warning("dropped an event", extra={"cause": str(error), "event_id": event.get("id")})


def _record(name: str, observation: Observation) -> None:
    kept = shared.job_stores().live_attempts.record_observation(
        name, observation, by=writer_of_observation(observation)
    )
    shared.logger().info("observation", extra={"attempt": name, "status": observation.status, "kept": kept})
    if not kept and observation.status == "InProgress" and shared.settings().guard is not GuardMode.OFF:
        # Either the event was late, or it is no attempt of the queue despite its name: the cycle checks it.
        shared.unmanaged_job_store().add_unchecked(UnmanagedJob(name, observation.modified_at), by="training_events")
