"""Moves live attempts along: confirms their creation, sends requested stops, records their end.

Each step may be interrupted anywhere; the next cycle then repeats it.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.history.notices import notice_of
from scheduler.core.idle_gpus.idle_check import has_restarted
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job, JobState, StopCause
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.learned import Learned, run_record_of
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.polling import reported_ended
from scheduler.core.requests.attempt_request import JOB_TAG, attempt_request, was_made_by
from scheduler.cycle.capacity_tracker import CapacityTracker
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.retries import Retries
from scheduler.cycle.services import CycleServices
from scheduler.cycle.spending import SpendingRecorder
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import (
    AlreadyEnded,
    AttemptExists,
    AttemptUnknown,
    LimitExceeded,
    NameClash,
    OutcomeUnknown,
    Refused,
)
from scheduler.errors.refusals import UnreadableBody
from scheduler.ports.job_store import NOTHING_LEARNED
from scheduler.ports.training import TrainingRequest

logger = logging.getLogger(__name__)

#: How long Describe may not know an attempt that was created, even after events reported it: AWS does not document when
#: Describe knows a new job. After that time, the attempt counts as deleted.
UNKNOWN_ATTEMPT_GRACE = timedelta(minutes=15)
#: How long a request with a lost answer may still be in flight, or unknown to Describe: far longer than the client's
#: own timeouts.
LOST_ANSWER_GRACE = timedelta(minutes=5)
#: How long a role or its policy may take to propagate (aws-facts 2.25).
ROLE_PROPAGATION_GRACE = timedelta(minutes=10)
#: How long a stop may take before an operator has to check: SageMaker gives two minutes, then uploads the model.
STUCK_STOP_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Attempts:
    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    capacity: CapacityTracker
    spending: SpendingRecorder
    retries: Retries
    steps: Steps

    def follow(self) -> bool:
        """Takes the next step with each live attempt. Returns whether an attempt was confirmed."""
        # An unreadable record keeps its budget until an operator repairs it.
        live = [live_job for live_job in self.live_jobs.live() if live_job.is_readable]
        reported = {live_job.attempt.name for live_job in reported_ended(live)}
        has_confirmed = False
        for live_job in self.steps.in_time(live):
            if not live_job.attempt.created:
                with self.steps.isolate("create_again"):
                    self.create_again(live_job)
                    has_confirmed = True
            elif live_job.job.status.state is JobState.STOPPING and not live_job.attempt.stop_sent:
                with self.steps.isolate("stop"):
                    self.stop(live_job)
            elif live_job.attempt.name in reported:
                with self.steps.isolate("poll"):
                    self.poll(live_job)
        return has_confirmed

    def create(self, live_job: LiveJob, request: TrainingRequest) -> Job:
        """Sends Create for the first time and records the answer."""
        try:
            self._send(live_job, attempt_request(request, live_job.job, live_job.attempt))
        except (LimitExceeded, Refused) as error:
            return self._settle_refused(live_job, error)
        return self._confirm(live_job)

    def create_again(self, live_job: LiveJob) -> Job:
        """Sends Create again after a crash or a lost answer. The same name makes it the same request.

        Its time is recorded before: LOST_ANSWER_GRACE counts from the last Create. A refusal does not prove that the
        earlier Creates had no effect: one of them may fill the quota now. But the refused Create has no effect, so then
        LOST_ANSWER_GRACE counts from the one before it.
        """
        sent_before = live_job.attempt.last_sent_at
        live_job = self._record_sent_at(live_job, self.services.clock.now())
        # That write may have been delayed until the lease was lost, or until the attempt counts as lost.
        self.steps.require_time()
        try:
            request = self._request(live_job)
            self._send(live_job, request)
        except UnreadableBody as error:
            live_job = self._record_sent_at(live_job, sent_before)
            # Only the tag of the job tells: the request cannot be read.
            job_tag = {"Tags": [{"Key": JOB_TAG, "Value": live_job.job.name}]}
            if not self._exists_after_all(live_job.attempt, job_tag):
                return self._settle_refused(live_job, error)
        except (LimitExceeded, Refused) as error:
            live_job = self._record_sent_at(live_job, sent_before)
            if not self._exists_after_all(live_job.attempt, request):
                return self._settle_refused(live_job, error)
        return self._confirm(live_job)

    def stop(self, live_job: LiveJob) -> None:
        """Sends the stop that is recorded for the job."""
        request = live_job.job.status.stop
        if request and request.cause is StopCause.IDLE and self._has_restarted(live_job):
            self._update(transitions.spare(live_job.job, self.services.clock.now()), live_job.attempt)
            return
        try:
            self.services.training.stop(live_job.attempt.name)
        except (AlreadyEnded, AttemptUnknown):
            self.poll(live_job)
        else:
            # A change of its own, so that the history does not repeat what the change before recorded.
            sent = replace(live_job.job, status=replace(live_job.job.status, updated_at=self.services.clock.now()))
            self._update(sent, replace(live_job.attempt, stop_sent=True))

    def poll(self, live_job: LiveJob) -> None:
        """Asks SageMaker about the attempt and settles it if it has ended."""
        job, attempt = live_job.job, live_job.attempt
        try:
            observation = self.services.training.describe(attempt.name)
        except AttemptUnknown:
            # Counted from the job's last change, which was its creation: the reservation may be much older.
            if self.services.clock.now() - job.status.updated_at > UNKNOWN_ATTEMPT_GRACE:
                self._settle(transitions.end_vanished(job, attempt, self.services.clock.now()), attempt)
            return
        if observation.is_terminal:
            now = self.services.clock.now()
            ended = self.retries.after_end(transitions.end_attempt(job, attempt, observation, now), now)
            capacity = self.capacity.after_end(live_job, ended, observation)
            self._settle(
                ended, replace(attempt, observation=observation), capacity, keeps_instances=observation.keeps_instances
            )
            return
        if observation.supersedes(attempt.observation):
            self.services.stores.live_attempts.record_observation(
                attempt.name, _marked_by_event(observation, attempt.observation), by="schedule"
            )
        if job.awaits_selection and observation.selected != NOTHING:
            live_job = self._narrow(live_job, observation.selected)
            job, attempt = live_job.job, live_job.attempt
        # Counted from the stop request: each repeated stop changes the job.
        stop_requested_at = job.status.stop.asked_at if job.status.stop else job.status.updated_at
        if attempt.stop_sent and self.services.clock.now() - stop_requested_at > STUCK_STOP_AFTER:
            logger.error("stuck stopping", extra={"job": job.name, "attempt": attempt.name})
        if attempt.stop_sent and observation.status == "InProgress":
            # The stop was accepted and had no effect: the next pass sends it once more.
            self._update(job, replace(attempt, stop_sent=False))
        elif reason := self.retries.reason_to_leave_spot(live_job, observation, self.services.clock.now()):
            self.stop(self._update(transitions.leave_spot(job, reason, self.services.clock.now()), attempt))
        elif reason := self.capacity.reason_to_switch_alternative(live_job, observation):
            self.stop(self._update(transitions.switch_alternative(job, reason, self.services.clock.now()), attempt))

    def notify_owner(self, job: Job) -> None:
        """Sends the owner a notice of the change that was just written. A crash before it loses only the notice."""
        if notice := notice_of(job):
            self.services.notifier.notify(notice)

    def _narrow(self, live_job: LiveJob, selected: Demand) -> LiveJob:
        """Releases the reserved instances that SageMaker did not select, unless it took some that were not reserved."""
        if not selected.fits(live_job.attempt.demand):
            logger.error("selected what was not reserved", extra={"attempt": live_job.attempt.name})
            return live_job
        job = transitions.record_selection(live_job.job, selected, self.services.clock.now())
        written = self.services.stores.reservations.narrow(job, live_job.attempt, self.lease)
        narrowed = LiveJob(written, replace(live_job.attempt, demand=selected))
        self.live_jobs.replace(narrowed)
        _log("narrowed", written, live_job.attempt)
        return narrowed

    def _has_restarted(self, live_job: LiveJob) -> bool:
        """Returns whether the attempt restarted since its last observation: the events about it may be lost."""
        try:
            observation = self.services.training.describe(live_job.attempt.name)
        except AttemptUnknown:
            return False
        known = live_job.attempt.observation
        if known is None or observation.status != "InProgress" or not observation.supersedes(known):
            return False
        self.services.stores.live_attempts.record_observation(
            live_job.attempt.name, _marked_by_event(observation, known), by="schedule"
        )
        return has_restarted(observation, known)

    def _record_sent_at(self, live_job: LiveJob, sent_at: datetime) -> LiveJob:
        attempt = self.services.stores.reservations.record_sent_at(live_job.attempt, sent_at, self.lease)
        sent = replace(live_job, attempt=attempt)
        self.live_jobs.replace(sent)
        return sent

    def _request(self, live_job: LiveJob) -> dict[str, object]:
        return attempt_request(
            self.services.stores.jobs.request(live_job.job.name, live_job.job.spec.choice),
            live_job.job,
            live_job.attempt,
        )

    def _send(self, live_job: LiveJob, request: dict[str, object]) -> None:
        try:
            self.services.training.create(request)
        except AttemptExists as error:
            if not was_made_by(self.services.training.describe_any(live_job.attempt.name), request):
                raise NameClash(live_job.attempt.name) from error

    def _exists_after_all(self, attempt: Attempt, request: TrainingRequest) -> bool:
        try:
            return was_made_by(self.services.training.describe_any(attempt.name), request)
        except AttemptUnknown as error:
            if self.services.clock.now() - attempt.last_sent_at < LOST_ANSWER_GRACE:
                raise OutcomeUnknown(attempt.name) from error
            return False

    def _confirm(self, live_job: LiveJob) -> Job:
        confirmed = self._update(
            transitions.confirm_running(live_job.job, self.services.clock.now()),
            replace(live_job.attempt, created=True),
        )
        self.notify_owner(confirmed.job)
        return confirmed.job

    def _settle_refused(self, live_job: LiveJob, error: LimitExceeded | Refused | UnreadableBody) -> Job:
        job, attempt, now = live_job.job, live_job.attempt, self.services.clock.now()
        match error:
            case UnreadableBody():
                reason = Reason(ReasonCode.UNREADABLE_REQUEST, str(error))
                return self._settle(transitions.end_unstarted(job, attempt, JobState.PARKED, reason, now), attempt)
            case NameClash():
                return self._settle(transitions.resolve_name_clash(job, attempt, now), attempt)
            case LimitExceeded(may_pass=True):
                reason = Reason(ReasonCode.CAPACITY, str(error))
                return self._settle(transitions.retry_launch_later(job, reason, now), attempt)
            case LimitExceeded():
                reason = Reason(ReasonCode.CAPACITY, str(error))
                return self._settle(transitions.end_unstarted(job, attempt, JobState.PARKED, reason, now), attempt)
        if error.may_pass and now - attempt.reserved_at < ROLE_PROPAGATION_GRACE:
            raise error  # the attempt stays reserved; the next cycle sends Create again
        reason = Reason(ReasonCode.CREATE_REFUSED, str(error))
        return self._settle(transitions.end_unstarted(job, attempt, JobState.FAILED, reason, now), attempt)

    def _settle(
        self, job: Job, attempt: Attempt, capacity: CapacityMemory | None = None, *, keeps_instances: bool = False
    ) -> Job:
        learned = replace(self._learned_from(job, attempt), capacity=capacity)
        settled = self.services.stores.reservations.settle(
            job, attempt, self.lease, learned, keeps_instances=keeps_instances
        )
        self.live_jobs.remove(attempt)
        if capacity is not None:
            self.capacity.replace(capacity)
        _log("settled", settled, attempt)
        self.notify_owner(settled)
        return settled

    def _learned_from(self, job: Job, attempt: Attempt) -> Learned:
        policy, learned = self.services.snapshot_reader.policy, NOTHING_LEARNED
        if run_record := run_record_of(job, attempt.name, policy):
            known = self.services.stores.learned.read_learned(run_record.owners, run_record.teams)
            learned = run_record.add_to(known, policy)
        history = job.status.history
        has_ended = bool(history) and history[-1].name == attempt.name
        return replace(learned, spent=self.spending.after_end(job) if has_ended else {})

    def _update(self, job: Job, attempt: Attempt) -> LiveJob:
        updated = self.live_jobs.update(job, attempt)
        _log("updated", updated.job, attempt)
        return updated


def _marked_by_event(observation: Observation, known: Observation | None) -> Observation:
    """Returns the observation, marked as reported by an event if an event reported the same status before."""
    by_event = known is not None and known.by_event and known.secondary_status == observation.secondary_status
    return replace(observation, by_event=by_event)


def _log(action: str, job: Job, attempt: Attempt) -> None:
    """Logs allow-listed fields only: a reason's text may quote SageMaker, which may quote the request."""
    logger.info(
        action,
        extra={
            "job": job.name,
            "state": job.status.state.value,
            "attempt": attempt.name,
            "reason": job.status.reason.code.value,
        },
    )
