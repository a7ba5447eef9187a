"""Brings live attempts forward: confirms their creation, sends wanted stops, records their end.

Each step may be cut off anywhere and is simply done again by the next cycle.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.job import Job, JobState, StopCause
from scheduler.domain.lease import Lease
from scheduler.domain.past import Past
from scheduler.domain.policy import Policy
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.domain.snapshot import LiveJob
from scheduler.errors import (
    AlreadyEnded,
    AttemptExists,
    AttemptUnknown,
    LimitExceeded,
    NameClash,
    OutcomeUnknown,
    Refused,
)
from scheduler.live_book import LiveBook
from scheduler.policy import transitions
from scheduler.policy.attempt_request import JOB_TAG, attempt_request
from scheduler.policy.learning import lesson_of
from scheduler.policy.notices import notice_of
from scheduler.ports import NOTHING_LEARNED, Clock, JobStore, Notifier, TrainingService
from scheduler.recovery_desk import RecoveryDesk
from scheduler.refusals import UnreadableBody

logger = logging.getLogger(__name__)

#: How long Describe may deny an attempt that was created, and that events even tell of: AWS does not document when it
#: knows a new job. Later, somebody has deleted it.
PATIENCE_WITH_UNKNOWN = timedelta(minutes=15)
#: How long a request whose answer was lost may still be under way: far longer than the client's own timeouts.
PATIENCE_WITH_LOST = timedelta(minutes=2)
#: How long a role or its policy may take to be known everywhere (aws-facts 2.25).
PATIENCE_WITH_ROLES = timedelta(minutes=10)
#: How long a stop may take before somebody has to look: SageMaker gives two minutes, and then uploads the model.
PATIENCE_WITH_STOPS = timedelta(hours=1)


class Upkeep:
    def __init__(
        self,
        store: JobStore,
        training: TrainingService,
        clock: Clock,
        policy: Policy,
        notifier: Notifier,
        recovery: RecoveryDesk,
        lease: Lease,
        book: LiveBook,
    ) -> None:
        self._book = book
        self._recovery = recovery
        self._store = store
        self._training = training
        self._clock = clock
        self._notifier = notifier
        self._lease = lease
        self._policy = policy

    def create(self, live: LiveJob) -> Job:
        """Send Create for the first time, and record the answer."""
        try:
            self._send(live, self._request(live))
        except (LimitExceeded, Refused, UnreadableBody) as error:
            return self._settle_refused(live, error)
        return self._confirm(live)

    def create_again(self, live: LiveJob) -> Job:
        """Send Create after a crash or a lost answer: the name makes it the same request.

        A refusal is no proof that the first one had no effect, for that one may be what fills the quota now.
        """
        try:
            request = self._request(live)
            self._send(live, request)
        except UnreadableBody as error:
            if not self._exists_after_all(live.attempt, lambda: self._is_tagged(live)):
                return self._settle_refused(live, error)
        except (LimitExceeded, Refused) as error:
            if not self._exists_after_all(live.attempt, lambda: self._training.is_ours(request)):
                return self._settle_refused(live, error)
        return self._confirm(live)

    def stop(self, live: LiveJob) -> None:
        """Send the stop that somebody wants."""
        if _is_for_idling(live.job) and self._started_anew(live):
            self._update(transitions.spared(live.job, self._clock.now()), live.attempt)
            return
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
            # Counted from the job's last change, which its creation was: the reservation may be much older.
            if self._clock.now() - job.updated_at > PATIENCE_WITH_UNKNOWN:
                self._settle(transitions.vanished(job, attempt, self._clock.now()), attempt)
            return
        if sighting.is_terminal:
            now = self._clock.now()
            ended = self._recovery.after_end(transitions.ended(job, attempt, sighting, now), now)
            self._settle(ended, attempt, keeps_instances=sighting.keeps_instances)
            return
        if sighting.supersedes(attempt.sighting):
            self._store.note_sighting(attempt.name, _as_told(sighting, attempt.sighting), by="schedule")
        if attempt.stop_sent and self._clock.now() - job.updated_at > PATIENCE_WITH_STOPS:
            logger.error("stuck stopping", extra={"job": job.name, "attempt": attempt.name})
        if attempt.stop_sent and sighting.status == "InProgress":
            # The stop was accepted and had no effect: the next pass sends it once more.
            self._update(job, replace(attempt, stop_sent=False))
        elif reason := self._recovery.why_it_leaves_spot(live, sighting, self._clock.now()):
            leaving = self._update(transitions.leaving_spot(job, reason, self._clock.now()), attempt)
            self.stop(LiveJob(leaving, attempt))

    def announce(self, job: Job) -> None:
        """Tell the owner what has just been written. A crash before it loses the notice, and nothing else."""
        if notice := notice_of(job):
            self._notifier.tell(notice)

    def _started_anew(self, live: LiveJob) -> bool:
        """Whether there was an interruption since what is known of it: events that told of it may be lost."""
        try:
            sighting = self._training.describe(live.attempt.name)
        except AttemptUnknown:
            return False
        known = live.attempt.sighting
        if known is None or sighting.is_terminal or not sighting.supersedes(known):
            return False
        self._store.note_sighting(live.attempt.name, _as_told(sighting, known), by="schedule")
        return sighting.training_since != known.training_since

    def _request(self, live: LiveJob) -> dict[str, object]:
        return attempt_request(self._store.request(live.job.name), live.job, live.attempt)

    def _send(self, live: LiveJob, request: dict[str, object]) -> None:
        try:
            self._training.create(request)
        except AttemptExists as error:
            if not self._training.is_ours(request):
                raise NameClash(live.attempt.name) from error

    def _exists_after_all(self, attempt: Attempt, is_ours: Callable[[], bool]) -> bool:
        try:
            return is_ours()
        except AttemptUnknown as error:
            if self._clock.now() - attempt.reserved_at < PATIENCE_WITH_LOST:
                raise OutcomeUnknown(attempt.name) from error
            return False

    def _is_tagged(self, live: LiveJob) -> bool:
        """As far as that can be told without the request."""
        return self._training.tags(live.attempt.name).get(JOB_TAG) == live.job.name

    def _confirm(self, live: LiveJob) -> Job:
        confirmed = self._update(transitions.running(live.job, self._clock.now()), replace(live.attempt, created=True))
        self.announce(confirmed)
        return confirmed

    def _settle_refused(self, live: LiveJob, error: LimitExceeded | Refused | UnreadableBody) -> Job:
        job, attempt, now = live.job, live.attempt, self._clock.now()
        match error:
            case UnreadableBody():
                reason = Reason(ReasonCode.UNREADABLE_REQUEST, str(error))
                return self._settle(transitions.never_started(job, attempt, JobState.PARKED, reason, now), attempt)
            case NameClash():
                return self._settle(transitions.name_clashed(job, attempt, now), attempt)
            case LimitExceeded(may_pass=True):
                reason = Reason(ReasonCode.CAPACITY, str(error))
                return self._settle(transitions.refused_for_now(job, reason, now), attempt)
            case LimitExceeded():
                reason = Reason(ReasonCode.CAPACITY, str(error))
                return self._settle(transitions.never_started(job, attempt, JobState.PARKED, reason, now), attempt)
        if error.may_pass and now - attempt.reserved_at < PATIENCE_WITH_ROLES:
            raise error  # the attempt stays reserved, and the next cycle sends it again
        reason = Reason(ReasonCode.CREATE_REFUSED, str(error))
        return self._settle(transitions.never_started(job, attempt, JobState.FAILED, reason, now), attempt)

    def _settle(self, job: Job, attempt: Attempt, *, keeps_instances: bool = False) -> Job:
        past = self._learned_from(job, attempt)
        settled = self._store.settle(job, attempt, self._lease, past, keeps_instances=keeps_instances)
        self._book.strike(attempt)
        _log("settled", settled, attempt)
        self.announce(settled)
        return settled

    def _learned_from(self, job: Job, attempt: Attempt) -> Past:
        lesson = lesson_of(job, attempt.name, self._policy)
        if lesson is None:
            return NOTHING_LEARNED
        return lesson.added_to(self._store.recall(lesson.owners, lesson.teams), self._policy)

    def _update(self, job: Job, attempt: Attempt) -> Job:
        updated = self._store.update_attempt(job, attempt, self._lease)
        self._book.keep(LiveJob(updated, attempt))
        _log("updated", updated, attempt)
        return updated


def _is_for_idling(job: Job) -> bool:
    return job.stop is not None and job.stop.cause is StopCause.IDLE


def _as_told(sighting: Sighting, known: Sighting | None) -> Sighting:
    """An event told of it, where one told of this status before."""
    is_told = known is not None and known.by_event and known.secondary_status == sighting.secondary_status
    return replace(sighting, by_event=is_told)


def _log(action: str, job: Job, attempt: Attempt) -> None:
    """Allow-listed fields only: a reason's text may quote SageMaker, which may quote the request."""
    logger.info(
        action,
        extra={"job": job.name, "state": job.state.value, "attempt": attempt.name, "reason": job.reason.code.value},
    )
