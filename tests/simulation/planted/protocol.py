"""Defects of how attempts are created, looked at, stopped and ended."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from attrs import evolve

from scheduler.adapters.aws.sagemaker_training import SageMakerTraining
from scheduler.core.jobs import attempt, transitions
from scheduler.core.jobs.attempt import Attempt, Sighting
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.listed_job import ListPage
from scheduler.cycle import attempts
from scheduler.errors.internal import OutcomeUnknown
from scheduler.ports.training import TrainingRequest


def release_at_stopping(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempt, "TERMINAL_STATUSES", attempt.TERMINAL_STATUSES | {"Stopping"})


def new_name_after_a_timeout(patches: pytest.MonkeyPatch) -> None:
    create = attempts.Upkeep.create

    def create_or_next_name(self: attempts.Upkeep, live: LiveJob, request: TrainingRequest) -> Job:
        try:
            return create(self, live, request)
        except OutcomeUnknown:
            now = self._clock.now()
            return self._settle(transitions.name_clashed(live.job, live.attempt, now), live.attempt)

    patches.setattr(attempts.Upkeep, "create", create_or_next_name)


def count_patience_from_the_reservation(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Attempt, "last_sent_at", property(lambda self: self.reserved_at))


def relaunch_when_interrupted(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.ended

    def is_terminal(sighting: Sighting) -> bool:
        return sighting.status in attempt.TERMINAL_STATUSES or sighting.secondary_status == "Interrupted"

    def back_to_queue(job: Job, attempt: Attempt, sighting: Sighting, now: datetime) -> Job:
        over = ended(job, attempt, sighting, now)
        return transitions.name_clashed(over, attempt, now) if sighting.secondary_status == "Interrupted" else over

    patches.setattr(Sighting, "is_terminal", property(is_terminal))
    patches.setattr(transitions, "ended", back_to_queue)


def relaunch_what_is_not_described(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempts, "PATIENCE_WITH_UNKNOWN", timedelta(0))


def adopt_whatever_has_the_name(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(SageMakerTraining, "is_ours", lambda *_: True)


def requeue_the_cancelled(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Job, "was_cancelled", property(lambda _: False))


def repeat_what_was_stopped_outside(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.ended

    def repeated(job: Job, attempt: Attempt, sighting: Sighting, now: datetime) -> Job:
        stopped = sighting.status == "Stopped" and job.stop is None
        over = ended(job, attempt, sighting, now)
        return transitions.name_clashed(over, attempt, now) if stopped else over

    patches.setattr(transitions, "ended", repeated)


def lose_the_age(patches: pytest.MonkeyPatch) -> None:
    ended = transitions.ended

    def rejuvenated(job: Job, attempt: Attempt, sighting: Sighting, now: datetime) -> Job:
        return evolve(ended(job, attempt, sighting, now), submitted_at=now)

    patches.setattr(transitions, "ended", rejuvenated)


def list_one_page(patches: pytest.MonkeyPatch) -> None:
    list_created_after = SageMakerTraining.list_created_after

    def first_page(self: SageMakerTraining, *args: Any) -> ListPage:
        return evolve(list_created_after(self, *args), next_token=None)

    patches.setattr(SageMakerTraining, "list_created_after", first_page)


def log_requests(patches: pytest.MonkeyPatch) -> None:
    send = attempts.Upkeep._send

    def telling(self: attempts.Upkeep, live: LiveJob, request: dict[str, object]) -> None:
        attempts.logger.info("create", extra={"request": request})
        send(self, live, request)

    patches.setattr(attempts.Upkeep, "_send", telling)
