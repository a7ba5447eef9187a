"""Reads state changes from SageMaker's events about jobs of every kind, in every form that AWS sends."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from scheduler.core.jobs.attempt import Observation
from scheduler.core.reconciliation.unmanaged_job import UnmanagedJob
from scheduler.errors.internal import BadEvent


def observation_of(event: Mapping[str, Any]) -> tuple[str, Observation]:
    """Returns the job's name and the observation in the event. Raises BadEvent."""
    detail = event.get("detail")
    if not isinstance(detail, Mapping):
        raise BadEvent("detail is missing")
    if "HyperParameterTuningJobName" in detail:
        return _text(detail, "HyperParameterTuningJobName"), _tuning_observation(detail)
    if "ProcessingJobName" in detail:
        return _text(detail, "ProcessingJobName"), _processing_observation(detail)
    name = _text(detail, "TrainingJobName")
    transitions = _transitions(detail)
    return name, Observation(
        status=_text(detail, "TrainingJobStatus"),
        secondary_status=_text(detail, "SecondaryStatus"),
        modified_at=_required_moment(detail, "LastModifiedTime"),
        message=_text_or_nothing(transitions[-1], "StatusMessage"),
        failure_reason=_text_or_nothing(detail, "FailureReason"),
        training_started_at=_moment(detail, "TrainingStartTime"),
        training_since=_moment(transitions[-1], "StartTime") if transitions[-1].get("Status") == "Training" else None,
        ended_at=_moment(detail, "TrainingEndTime"),
        interruptions=sum(transition.get("Status") == "Interrupted" for transition in transitions),
        by_event=True,
    )


def _tuning_observation(detail: Mapping[str, Any]) -> Observation:
    """Returns the observation. Only Describe shows whether the trials of a tuning job have also ended."""
    status = _text(detail, "HyperParameterTuningJobStatus")
    return Observation(
        status=status,
        secondary_status="Training" if status == "InProgress" else status,
        modified_at=_required_moment(detail, "LastModifiedTime"),
        failure_reason=_text_or_nothing(detail, "FailureReason"),
        training_started_at=_moment(detail, "CreationTime"),
        ended_at=_moment(detail, "HyperParameterTuningEndTime"),
        by_event=True,
    )


def _processing_observation(detail: Mapping[str, Any]) -> Observation:
    status, started = _text(detail, "ProcessingJobStatus"), _moment(detail, "ProcessingStartTime")
    return Observation(
        status=status,
        secondary_status="Training" if status == "InProgress" and started else status,
        modified_at=_required_moment(detail, "LastModifiedTime"),
        failure_reason=_text_or_nothing(detail, "FailureReason"),
        training_started_at=started,
        ended_at=_moment(detail, "ProcessingEndTime"),
        by_event=True,
    )


def unmanaged_job_of(event: Mapping[str, Any]) -> UnmanagedJob:
    """Returns the training job named in an event from the template's rule UnmanagedJobs. Raises BadEvent."""
    return UnmanagedJob(_text(event, "unmanaged_job"), _required_moment(event, "time"))


def _transitions(detail: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    given = detail.get("SecondaryStatusTransitions", [])
    if not isinstance(given, list) or not all(isinstance(transition, Mapping) for transition in given):
        raise BadEvent("SecondaryStatusTransitions is not a list of objects")
    return given or [{}]


def _text(detail: Mapping[str, Any], key: str) -> str:
    value = detail.get(key)
    if not isinstance(value, str) or not value:
        raise BadEvent(f"{key} is missing")
    return value


def _text_or_nothing(detail: Mapping[str, Any], key: str) -> str:
    value = detail.get(key)
    if value is not None and not isinstance(value, str):
        raise BadEvent(f"{key} is not a text")
    return value or ""


def _required_moment(detail: Mapping[str, Any], key: str) -> datetime:
    moment = _moment(detail, key)
    if moment is None:
        raise BadEvent(f"{key} is missing")
    return moment


def _moment(detail: Mapping[str, Any], key: str) -> datetime | None:
    """Reads milliseconds, as a number or a digit string, or ISO 8601; None if absent or null."""
    value = detail.get(key)
    if value is None:
        return None
    try:
        if isinstance(value, str) and not value.isdigit():
            return datetime.fromisoformat(value).astimezone(UTC)
        return datetime.fromtimestamp(int(value) / 1000, UTC)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadEvent(f"{key} is not a time") from error
