"""Records what SageMaker's state-change events say of our attempts: hints, the cycle asks SageMaker itself."""

from typing import Any

from scheduler.adapters.aws.sagemaker_events import observation_of, unmanaged_job_of
from scheduler.core.jobs.attempt import Observation
from scheduler.core.reconciliation.polling import writer_of
from scheduler.core.reconciliation.unmanaged_job import GuardMode, UnmanagedJob
from scheduler.errors.internal import BadEvent
from scheduler.wiring import shared


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    try:
        if "unmanaged_job" in event:
            shared.unmanaged_job_store().note(unmanaged_job_of(event), by="training_events")
        else:
            _record(*observation_of(event))
    except BadEvent as error:
        # Not retried: it would be as unreadable again. Its payload may hold secrets and is not logged.
        shared.logger().warning("dropped an event", extra={"cause": str(error), "event_id": event.get("id")})


def _record(name: str, observation: Observation) -> None:
    kept = shared.job_store().note_observation(name, observation, by=writer_of(observation))
    shared.logger().info("observation", extra={"attempt": name, "status": observation.status, "kept": kept})
    if not kept and observation.status == "InProgress" and shared.settings().guard is not GuardMode.OFF:
        # No live attempt of ours, though its name looks so, or an event that came late: the cycle finds out.
        shared.unmanaged_job_store().note(UnmanagedJob(name, observation.modified_at), by="training_events")
