"""Records what SageMaker's state-change events say of our attempts: hints, the cycle asks SageMaker itself."""

from typing import Any

from scheduler.adapters.aws.sagemaker_events import foreign_job_of, sighting_of
from scheduler.core.jobs.attempt import Sighting
from scheduler.core.reconciliation.polling import writer_of
from scheduler.core.reconciliation.unmanaged_job import ForeignJob, GuardMode
from scheduler.errors.internal import BadEvent
from scheduler.wiring import shared


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    try:
        if "foreign_job" in event:
            shared.foreign_store().note(foreign_job_of(event), by="training_events")
        else:
            _record(*sighting_of(event))
    except BadEvent as error:
        # Not retried: it would be as unreadable again. Its payload may hold secrets and is not logged.
        shared.logger().warning("dropped an event", extra={"cause": str(error), "event_id": event.get("id")})


def _record(name: str, sighting: Sighting) -> None:
    kept = shared.job_store().note_sighting(name, sighting, by=writer_of(sighting))
    shared.logger().info("sighting", extra={"attempt": name, "status": sighting.status, "kept": kept})
    if not kept and sighting.status == "InProgress" and shared.settings().guard is not GuardMode.OFF:
        # No live attempt of ours, though its name looks so, or an event that came late: the cycle finds out.
        shared.foreign_store().note(ForeignJob(name, sighting.modified_at), by="training_events")
