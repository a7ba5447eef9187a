"""Takes the next step for each live attempt: creates it again, sends a requested stop, polls it, or records its end.

Each step may be interrupted anywhere; the next cycle then repeats it.
"""

import logging
from dataclasses import dataclass, replace
from datetime import timedelta

from scheduler.core.idle_gpus.watch import Watch, is_in_grace_period, warning_of_run
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job_state import JobState, Stop, StopCause
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.polling import reported_ended
from scheduler.cycle.attempts.attempt_records import AttemptRecords, log_change
from scheduler.cycle.attempts.capacity_tracker import CapacityTracker
from scheduler.cycle.attempts.creation import Creation
from scheduler.cycle.attempts.retries import Retries
from scheduler.cycle.attempts.stop_notices import StopNotices
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import AlreadyEnded, AttemptUnknown, Refused
from scheduler.ports.job_store import SCHEDULE
from scheduler.ports.training import WorkService

logger = logging.getLogger(__name__)

#: How long Describe may fail to find a created attempt, even after events reported it: AWS does not document when
#: Describe finds a new job. After this time, the attempt counts as deleted.
UNKNOWN_ATTEMPT_GRACE = timedelta(minutes=15)
#: How long a stop may take before an operator has to check: SageMaker allows two minutes, then uploads the model.
STUCK_STOP_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Attempts:
    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    records: AttemptRecords
    creation: Creation
    capacity: CapacityTracker
    retries: Retries
    stop_notices: StopNotices
    steps: Steps

    def follow(self) -> bool:
        """Takes the next step for each live attempt. Returns whether an attempt was confirmed."""
        # An unreadable record keeps its budget until an operator repairs it.
        live = [live_job for live_job in self.live_jobs.live() if self._may_follow(live_job)]
        reported = {live_job.attempt.name for live_job in reported_ended(live)}
        has_confirmed = False
        for live_job in self.steps.in_time(live):
            if not live_job.attempt.created:
                with self.steps.isolate("create_again", live_job.job):
                    self.creation.create_again(live_job)
                    has_confirmed = True
            elif live_job.job.status.state is JobState.STOPPING and not live_job.attempt.stop_sent:
                with self.steps.isolate("stop", live_job.job):
                    self.stop(live_job)
            elif live_job.attempt.name in reported:
                with self.steps.isolate("poll", live_job.job):
                    self.poll(live_job)
            elif live_job.has_new_interruption:
                with self.steps.isolate("interruption", live_job.job):
                    self._record_interruption(live_job)
        return has_confirmed

    def _may_follow(self, live_job: LiveJob) -> bool:
        return live_job.is_readable and live_job.job.name not in self.steps.set_aside

    def stop(self, live_job: LiveJob) -> None:
        """Gives notice to the program, waits for its save, then sends the stop recorded for the job."""
        request, is_asked = live_job.job.status.stop, live_job.attempt.notice is not None
        if request and not is_asked and self._has_restarted(live_job, request):
            self.records.update(transitions.spare(live_job.job, self.services.clock.now()), live_job.attempt)
            return
        if self.stop_notices.holds_back(live_job):
            return
        try:
            self._service_of(live_job).stop(live_job.attempt.name)
        except (AlreadyEnded, AttemptUnknown):
            self.poll(live_job)
        except Refused:  # also for an attempt that is gone (aws-facts 2.67)
            self.poll(live_job)
            raise
        else:
            # A separate change, so that the history does not repeat what the previous change recorded.
            sent = replace(live_job.job, status=replace(live_job.job.status, updated_at=self.services.clock.now()))
            self.records.update(sent, replace(live_job.attempt, stop_sent=True))

    def poll(self, live_job: LiveJob) -> None:
        """Asks SageMaker about the attempt and settles it if it has ended."""
        job, attempt = live_job.job, live_job.attempt
        try:
            observation = self._service_of(live_job).describe(attempt.name)
        except AttemptUnknown:
            self._settle_unknown(live_job)
            return
        if attempt.is_another_job(observation):
            self._settle_vanished(live_job)
            return
        if observation.is_terminal:
            self._settle_ended(live_job, observation)
            return
        if observation.supersedes(attempt.observation):
            self._record_observation(attempt, observation)
        if job.awaits_selection and observation.selected != NOTHING:
            live_job = self._narrow(live_job, observation.selected)
            job, attempt = live_job.job, live_job.attempt
        # The time counts from the stop request: each repeated stop changes the job. The notice comes before the stop.
        stop_requested_at = job.status.stop.asked_at if job.status.stop else job.status.updated_at
        if attempt.notice is not None:
            stop_requested_at = max(stop_requested_at, attempt.notice.deadline)
        is_stopping = job.status.state is JobState.STOPPING  # even if SageMaker has not accepted the stop
        if is_stopping and self.services.clock.now() - stop_requested_at > STUCK_STOP_AFTER:
            logger.error("stuck stopping", extra={"job": job.name, "attempt": attempt.name})
        if attempt.stop_sent and observation.status == "InProgress":
            # The stop was accepted and had no effect: the next pass sends it once more.
            self.records.update(job, replace(attempt, stop_sent=False))
        elif reason := self.retries.reason_to_leave_spot(live_job, observation, self.services.clock.now()):
            self.stop(self.records.update(transitions.leave_spot(job, reason, self.services.clock.now()), attempt))
        elif reason := self.capacity.reason_to_switch_alternative(live_job, observation):
            self.stop(
                self.records.update(transitions.switch_alternative(job, reason, self.services.clock.now()), attempt)
            )

    def _service_of(self, live_job: LiveJob) -> WorkService:
        return self.services.service_of(live_job.job.spec.kind)

    def _record_interruption(self, live_job: LiveJob) -> None:
        job = transitions.record_interruption(live_job.job, self.services.clock.now())
        self.records.update(job, replace(live_job.attempt, recorded_interruptions=live_job.interruptions))

    def _narrow(self, live_job: LiveJob, selected: Demand) -> LiveJob:
        """Releases reserved instances that SageMaker did not select.

        Logs a selection of instances that were not reserved.
        """
        if not selected.fits(live_job.attempt.demand):
            logger.error("selected instances that were not reserved", extra={"attempt": live_job.attempt.name})
            return live_job
        job = transitions.record_selection(live_job.job, selected, self.services.clock.now())
        written = self.services.stores.reservations.narrow(job, live_job.attempt, self.lease)
        narrowed = LiveJob(written, replace(live_job.attempt, demand=selected))
        self.live_jobs.replace(narrowed)
        log_change("narrowed", written, live_job.attempt)
        return narrowed

    def _settle_ended(self, live_job: LiveJob, observation: Observation) -> None:
        job, attempt, now = live_job.job, live_job.attempt, self.services.clock.now()
        ended = self.retries.after_end(transitions.end_attempt(job, attempt, observation, now), now)
        capacity = self.capacity.after_end(live_job, ended, observation)
        self.records.settle(ended, replace(attempt, observation=observation), capacity, left_pool=observation.left_pool)

    def _settle_unknown(self, live_job: LiveJob) -> None:
        """Settles an attempt that Describe does not find, if an event reported its end or if it counts as deleted."""
        known = live_job.attempt.observation
        if known is not None and known.is_terminal:
            self._settle_ended(live_job, known)
        # The time counts from the job's last change, which was its creation: the reservation may be much older.
        elif self.services.clock.now() - live_job.job.status.updated_at > UNKNOWN_ATTEMPT_GRACE:
            self._settle_vanished(live_job)

    def _settle_vanished(self, live_job: LiveJob) -> None:
        vanished = transitions.end_vanished(live_job.job, live_job.attempt, self.services.clock.now())
        self.records.settle(vanished, live_job.attempt)

    def _has_restarted(self, live_job: LiveJob, stop: Stop) -> bool:
        """Returns whether the program restarted before the stop, but the event for the restart came too late.

        This matters only for stops by the watches.
        """
        watch, attempt = self._watch_of(stop.cause), live_job.attempt
        if watch is None:
            return False
        try:
            observation = self._service_of(live_job).describe(attempt.name)
        except AttemptUnknown:
            return False
        if observation.status != "InProgress":
            return False
        if observation.supersedes(attempt.observation):
            self._record_observation(attempt, observation)
        observed, job = replace(attempt, observation=observation), live_job.job
        if stop.cause is StopCause.NAN_LOSS:  # its losses count since the warning, and not for a whole window
            return warning_of_run(observed, job.status.nan_warned_at) is None
        return is_in_grace_period(observed, watch, stop.asked_at, is_exempt=job.options.idle_exempt)

    def _watch_of(self, cause: StopCause) -> Watch | None:
        configuration = self.services.configuration.current()
        match cause:
            case StopCause.IDLE | StopCause.UNDERUSED:
                return configuration.idle_gpus
            case StopCause.HANG | StopCause.HANG_RETRY:
                return configuration.hangs
            case StopCause.NAN_LOSS:
                return configuration.nan
        return None

    def _record_observation(self, attempt: Attempt, observation: Observation) -> None:
        """Records the observation, marked as reported by an event if an event reported the same status before."""
        known = attempt.observation
        by_event = known is not None and known.by_event and known.secondary_status == observation.secondary_status
        marked = replace(observation, by_event=by_event)
        self.services.stores.live_attempts.record_observation(attempt.name, marked, by=SCHEDULE)
