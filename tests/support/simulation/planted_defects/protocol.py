"""Defects in creating, polling, stopping and ending attempts."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker_training import SageMakerTraining
from scheduler.core.jobs import attempt, transitions
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.listed_job import ListPage
from scheduler.cycle import attempts
from scheduler.cycle.reconcile import adoption
from scheduler.errors.internal import OutcomeUnknown
from scheduler.ports.training import TrainingRequest


def release_at_stopping(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempt, "TERMINAL_STATUSES", attempt.TERMINAL_STATUSES | {"Stopping"})


def new_name_after_a_timeout(patches: pytest.MonkeyPatch) -> None:
    create = attempts.Attempts.create

    def create_or_next_name(self: attempts.Attempts, live: LiveJob, request: TrainingRequest) -> Job:
        try:
            return create(self, live, request)
        except OutcomeUnknown:
            now = self.services.clock.now()
            return self._settle(transitions.resolve_name_clash(live.job, live.attempt, now), live.attempt)

    patches.setattr(attempts.Attempts, "create", create_or_next_name)


def count_patience_from_the_reservation(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Attempt, "last_sent_at", property(lambda self: self.reserved_at))


def relaunch_when_interrupted(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.end_attempt

    def is_terminal(observation: Observation) -> bool:
        return observation.status in attempt.TERMINAL_STATUSES or observation.secondary_status == "Interrupted"

    def back_to_queue(job: Job, attempt: Attempt, observation: Observation, now: datetime) -> Job:
        over = ended(job, attempt, observation, now)
        return (
            transitions.resolve_name_clash(over, attempt, now)
            if observation.secondary_status == "Interrupted"
            else over
        )

    patches.setattr(Observation, "is_terminal", property(is_terminal))
    patches.setattr(transitions, "end_attempt", back_to_queue)


def relaunch_what_is_not_described(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempts, "UNKNOWN_ATTEMPT_GRACE", timedelta(0))


def adopt_whatever_has_the_name(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempts, "was_made_by", lambda *_: True)
    patches.setattr(adoption, "was_made_by", lambda *_: True)


def requeue_the_cancelled(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Job, "was_cancelled", property(lambda _: False))


def repeat_what_was_stopped_outside(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.end_attempt

    def repeated(job: Job, attempt: Attempt, observation: Observation, now: datetime) -> Job:
        stopped = observation.status == "Stopped" and job.status.stop is None
        over = ended(job, attempt, observation, now)
        return transitions.resolve_name_clash(over, attempt, now) if stopped else over

    patches.setattr(transitions, "end_attempt", repeated)


def lose_the_age(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.end_attempt

    def rejuvenated(job: Job, attempt: Attempt, observation: Observation, now: datetime) -> Job:
        return replace(ended(job, attempt, observation, now), submitted_at=now)

    patches.setattr(transitions, "end_attempt", rejuvenated)


def list_one_page(patches: pytest.MonkeyPatch) -> None:
    list_created_after = SageMakerTraining.list_created_after

    def first_page(self: SageMakerTraining, *args: Any) -> ListPage:
        return replace(list_created_after(self, *args), next_token=None)

    patches.setattr(SageMakerTraining, "list_created_after", first_page)


def log_requests(patches: pytest.MonkeyPatch) -> None:
    send = attempts.Attempts._send

    def telling(self: attempts.Attempts, live: LiveJob, request: dict[str, object]) -> None:
        attempts.logger.info("create", extra={"request": request})
        send(self, live, request)

    patches.setattr(attempts.Attempts, "_send", telling)
