"""Defines outcomes: the queue's reports about the ends of jobs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from scheduler.core.history.callbacks.callback import Callback, OpenCallback
from scheduler.core.jobs.attempt import EndedAttempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState

#: The state in the outcome of a job whose record was deleted.
MISSING = "missing"
#: Hexadecimal digits in an outcome's ID. SageMaker Pipelines requires at least 32.
_ID_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a job and of its last attempt. Without an attempt, the values about the attempt are empty."""

    id: str  # the same if the outcome is reported again
    job: str
    state: str
    reason: str  # its code
    message: str
    ended_at: datetime
    attempts: int = 0
    training_job: str = ""
    status: str = ""  # SageMaker's
    secondary_status: str = ""
    failure_reason: str = ""
    failure_class: str = ""
    model_artifacts: str = ""
    metrics: tuple[tuple[str, float], ...] = ()

    @property
    def is_success(self) -> bool:
        return self.state == JobState.COMPLETED

    def as_dict(self) -> Mapping[str, object]:
        """Returns the outcome as JSON. docs/use/callbacks.md describes its members."""
        return {
            "id": self.id,
            "job": self.job,
            "state": self.state,
            "reason": {"code": self.reason, "message": self.message},
            "ended_at": self.ended_at.isoformat(),
            "attempts": self.attempts,
            "training_job": self.training_job or None,
            "status": self.status or None,
            "secondary_status": self.secondary_status or None,
            "failure_reason": self.failure_reason or None,
            "failure_class": self.failure_class or None,
            "model_artifacts": self.model_artifacts or None,
            "metrics": dict(self.metrics),
        }


def outcome_of(due: OpenCallback) -> Outcome:
    """Returns the outcome to report. The callback must be due."""
    callback, job = due.callback, due.job
    if job is None:
        message = "Somebody deleted the job's record from the queue's table."
        return Outcome(_id(callback, MISSING, 0), callback.job, MISSING, MISSING, message, callback.added_at)
    state, reason = job.status.state, job.status.reason
    identity = _id(callback, state, job.latest_attempt)
    outcome = Outcome(identity, job.name, state.value, reason.code.value, reason.message, job.status.updated_at)
    return _with_attempt(outcome, job, job.status.history[-1]) if job.status.history else outcome


def _with_attempt(outcome: Outcome, job: Job, last: EndedAttempt) -> Outcome:
    return replace(
        outcome,
        attempts=job.status.attempts,
        training_job=last.name,
        status=last.status,
        secondary_status=last.secondary_status,
        failure_reason=last.failure_reason,
        failure_class=last.failure_class or "",
        model_artifacts=last.model_artifacts,
        metrics=tuple((name, float(value)) for name, value in last.metrics),
    )


def _id(callback: Callback, state: str, attempt: int) -> str:
    """Returns an ID for this end. A job that is requeued may end again, in another state or with another attempt."""
    identity = f"{callback.job}/{callback.key}/{attempt}/{state}"
    return sha256(identity.encode()).hexdigest()[:_ID_LENGTH]
