"""Defects in creating, polling, stopping and ending attempts."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.core.jobs import attempt, transitions
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.list_scan import ListScan
from scheduler.core.reconciliation.listed_job import ListPage
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.requests.attempt_request import ATTEMPT_TAG, was_made_by
from scheduler.cycle.attempts import attempt_records, attempts, creation
from scheduler.cycle.attempts.creation import Creation
from scheduler.cycle.reconcile import adoption
from scheduler.errors.internal import OutcomeUnknown
from scheduler.ports.training import TrainingRequest


def release_at_stopping(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempt, "TERMINAL_STATUSES", attempt.TERMINAL_STATUSES | {"Stopping"})


def new_name_after_a_timeout(patches: pytest.MonkeyPatch) -> None:
    create = Creation.create

    def create_or_next_name(self: Creation, live: LiveJob, request: TrainingRequest) -> Job:
        try:
            return create(self, live, request)
        except OutcomeUnknown:
            now = self.services.clock.now()
            return self.records.settle(transitions.resolve_name_clash(live.job, live.attempt, now), live.attempt)

    patches.setattr(Creation, "create", create_or_next_name)


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
    patches.setattr(creation, "was_made_by", lambda *_: True)
    patches.setattr(adoption, "was_made_by", lambda *_: True)


def compare_no_nonce(patches: pytest.MonkeyPatch) -> None:
    """Accepts a training job with an attempt's name, role, image and instances as the attempt, whatever its tag."""

    def by_the_rest(description: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
        tags = [tag for tag in request["Tags"] if tag["Key"] != ATTEMPT_TAG]
        return was_made_by(description, {**request, "Tags": tags})

    patches.setattr(creation, "was_made_by", by_the_rest)
    patches.setattr(adoption, "was_made_by", by_the_rest)


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
    list_newest = SageMakerTraining.list_newest

    def first_page(self: SageMakerTraining, *args: Any) -> ListPage:
        return replace(list_newest(self, *args), next_token=None)

    patches.setattr(SageMakerTraining, "list_newest", first_page)


def lose_the_place_in_the_list(patches: pytest.MonkeyPatch) -> None:
    """Begins each part of a scan at the top of SageMaker's list."""
    patches.setattr(ReconciliationState, "scan_to_continue", lambda _, now: ListScan(began_at=now))


def wait_for_no_tags(patches: pytest.MonkeyPatch) -> None:
    """Treats the attempt as another training job if its tags are listed late."""
    patches.setattr(creation, "may_prove_made_by", lambda *_: False)


def log_requests(patches: pytest.MonkeyPatch) -> None:
    send = Creation._send

    def telling(self: Creation, live: LiveJob, request: dict[str, object]) -> None:
        attempt_records.logger.info("create", extra={"request": request})
        send(self, live, request)

    patches.setattr(Creation, "_send", telling)
