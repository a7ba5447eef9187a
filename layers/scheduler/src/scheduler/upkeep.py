"""Brings live attempts forward: confirms their creation, sends wanted stops, records their end.

Each step may be cut off anywhere and is simply done again by the next cycle.
"""

import logging
from dataclasses import replace
from datetime import timedelta

from scheduler.domain.attempt import Attempt
from scheduler.domain.job import Job, JobState
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.domain.snapshot import LiveJob
from scheduler.errors import AlreadyEnded, AttemptExists, AttemptUnknown, LimitExceeded, Refused
from scheduler.policy import transitions
from scheduler.policy.attempt_request import attempt_request
from scheduler.ports import Clock, JobStore, Lease, TrainingService

logger = logging.getLogger(__name__)

#: How long Describe may deny an attempt that was created: AWS does not document its consistency after Create.
PATIENCE_WITH_UNKNOWN = timedelta(minutes=15)


class Upkeep:
    def __init__(self, store: JobStore, training: TrainingService, clock: Clock, lease: Lease) -> None:
        self._store = store
        self._training = training
        self._clock = clock
        self._lease = lease

    def create(self, live: LiveJob) -> None:
        """Send Create, also again after a crash or a timeout: the name makes it the same request."""
        job, attempt = live.job, live.attempt
        request = attempt_request(self._store.request(job.name), job.name, attempt.name)
        try:
            self._training.create(request)
        except AttemptExists:
            if not self._training.is_ours(request):
                self._settle(transitions.name_clashed(job, attempt, self._clock.now()), attempt)
                return
        except LimitExceeded as error:
            reason = Reason(ReasonCode.CAPACITY, str(error))
            if error.may_pass:
                self._settle(transitions.refused_for_now(job, reason, self._clock.now()), attempt)
            else:
                self._settle_unborn(job, attempt, JobState.PARKED, reason)
            return
        except Refused as error:
            self._settle_unborn(job, attempt, JobState.FAILED, Reason(ReasonCode.CREATE_REFUSED, str(error)))
            return
        self._update(transitions.running(job, self._clock.now()), replace(attempt, created=True))

    def stop(self, live: LiveJob) -> None:
        try:
            self._training.stop(live.attempt.name)
        except (AlreadyEnded, AttemptUnknown):
            self.look(live)
        else:
            self._update(live.job, replace(live.attempt, stop_sent=True))

    def look(self, live: LiveJob) -> None:
        """Ask SageMaker, and settle the attempt if it is over."""
        job, attempt = live.job, live.attempt
        try:
            sighting = self._training.describe(attempt.name)
        except AttemptUnknown:
            if self._is_gone(attempt):
                self._settle(transitions.vanished(job, attempt, self._clock.now()), attempt)
            return
        if sighting.is_terminal:
            self._settle(transitions.ended(job, attempt, sighting, self._clock.now()), attempt)
            return
        self._store.note_sighting(attempt.name, sighting, by="schedule")
        if attempt.stop_sent and sighting.status == "InProgress":
            # The stop was accepted and had no effect: the next pass sends it once more.
            self._update(job, replace(attempt, stop_sent=False))

    def _is_gone(self, attempt: Attempt) -> bool:
        was_seen = attempt.sighting is not None
        return was_seen or self._clock.now() - attempt.reserved_at > PATIENCE_WITH_UNKNOWN

    def _settle_unborn(self, job: Job, attempt: Attempt, state: JobState, reason: Reason) -> None:
        self._settle(transitions.never_started(job, attempt, state, reason, self._clock.now()), attempt)

    def _settle(self, job: Job, attempt: Attempt) -> None:
        settled = self._store.settle(job, attempt, self._lease)
        _log("settled", settled, attempt)

    def _update(self, job: Job, attempt: Attempt) -> None:
        updated = self._store.update_attempt(job, attempt, self._lease)
        _log("updated", updated, attempt)


def _log(action: str, job: Job, attempt: Attempt) -> None:
    """Allow-listed fields only: a reason's text may quote SageMaker, which may quote the request."""
    logger.info(
        action,
        extra={"job": job.name, "state": job.state.value, "attempt": attempt.name, "reason": job.reason.code.value},
    )
