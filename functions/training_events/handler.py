"""Records what SageMaker's state-change events say of our attempts: hints, the cycle asks SageMaker itself."""

from typing import Any

from scheduler import wiring
from scheduler.adapters.training_event import foreign_job_of, sighting_of
from scheduler.domain.attempt import Sighting
from scheduler.domain.foreign import ForeignJob
from scheduler.domain.guard_mode import GuardMode
from scheduler.errors import BadEvent
from scheduler.policy.looks import writer_of


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    try:
        if "foreign_job" in event:
            wiring.foreign_store().note(foreign_job_of(event), by="training_events")
        else:
            _record(*sighting_of(event))
    except BadEvent as error:
        # Not retried: it would be as unreadable again. Its payload may hold secrets and is not logged.
        wiring.logger().warning("dropped an event", extra={"cause": str(error), "event_id": event.get("id")})


def _record(name: str, sighting: Sighting) -> None:
    kept = wiring.job_store().note_sighting(name, sighting, by=writer_of(sighting))
    wiring.logger().info("sighting", extra={"attempt": name, "status": sighting.status, "kept": kept})
    if not kept and sighting.status == "InProgress" and wiring.settings().guard is not GuardMode.OFF:
        # No live attempt of ours, though its name looks so, or an event that came late: the cycle finds out.
        wiring.foreign_store().note(ForeignJob(name, sighting.modified_at), by="training_events")
