"""Records events about saves and about SageMaker's state changes. They are only hints: the cycle polls SageMaker."""

from typing import Any

from scheduler.adapters.aws.sagemaker.events import observation_of, unmanaged_job_of
from scheduler.core.jobs.attempt import Observation
from scheduler.core.reconciliation.unmanaged_job import GuardMode, UnmanagedJob
from scheduler.core.requests.stop_notice.objects import MalformedAcknowledgement, save_in
from scheduler.core.requests.stop_notice.variables import ACKNOWLEDGEMENTS
from scheduler.errors.internal import BadEvent
from scheduler.ports.job_store import TRAINING_EVENTS, writer_of_observation, writer_of_save
from scheduler.wiring import shared


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    try:
        if "unmanaged_job" in event:
            shared.unmanaged_job_store().add_unchecked(unmanaged_job_of(event), by=TRAINING_EVENTS)
        elif "acknowledgement" in event:
            _record_save(str(event["acknowledgement"]).removeprefix(ACKNOWLEDGEMENTS))
        else:
            _record(*observation_of(event), is_training_job="TrainingJobName" in event["detail"])
    except (BadEvent, MalformedAcknowledgement) as error:
        # A retry would fail again. The payload is not logged, because it may contain secrets.
        cause = f"{type(error).__name__}: {error}"
        shared.logger().warning("dropped an event", extra={"cause": cause, "event_id": event.get("id")})


def _record(name: str, observation: Observation, *, is_training_job: bool) -> None:
    kept = shared.job_stores().live_attempts.record_observation(
        name, observation, by=writer_of_observation(observation)
    )
    shared.logger().info("observation", extra={"attempt": name, "status": observation.status, "kept": kept})
    is_running = is_training_job and observation.status == "InProgress"
    if not kept and is_running and shared.settings().guard is not GuardMode.OFF:
        # Either the event was late, or the job is not the queue's despite its name. The cycle finds out.
        shared.unmanaged_job_store().add_unchecked(UnmanagedJob(name, observation.modified_at), by=TRAINING_EVENTS)


def _record_save(name: str) -> None:
    """Records the latest acknowledgement, even if it is newer than the event. Raises StopObjectsUnavailable."""
    if not name:
        raise BadEvent("the key does not name an attempt")
    acknowledgement = shared.stop_objects().acknowledgement(name)
    if acknowledgement is None:
        return
    save = save_in(acknowledgement, name, shared.clock().now())
    kept = shared.job_stores().live_attempts.record_save(name, save, by=writer_of_save(save))
    shared.logger().info("save", extra={"attempt": name, "step": save.step, "kept": kept})
