"""Gives notice to listening programs before their attempts are stopped, and reads whether the programs have saved.

The time of the recorded stop identifies the notice. So each step may be interrupted and repeated: a repeat writes the
same object, and an earlier answer stays valid. At the deadline, the attempt is stopped in any case.
"""

import logging
from dataclasses import dataclass, field, replace
from datetime import timedelta

from scheduler.core.jobs import transitions
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import Save, StopNotice
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.requests.stop_notice.objects import RUN, MalformedAcknowledgement, save_in, stop_request
from scheduler.core.requests.stop_notice.rule import gets_notice, has_time_to_save
from scheduler.cycle.attempts.attempt_records import AttemptRecords
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.errors.internal import DATA_ERRORS, RecordRefused, StopObjectsUnavailable
from scheduler.ports.job_store import SCHEDULE
from scheduler.ports.training import TrainingRequest

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class StopNotices:
    services: CycleServices
    live_jobs: LiveJobs
    records: AttemptRecords
    _is_down: bool = field(default=False, init=False)  # S3 failed: this cycle stops trying, so that jobs start
    _read: set[str] = field(default_factory=set, init=False)  # attempts whose acknowledgement this cycle has read

    def variables(self, live_job: LiveJob, request: TrainingRequest) -> dict[str, str]:
        """Writes the stop object for an attempt that is about to be created, and returns the attempt's variables.

        Returns none if the attempt gets no notice, or if the object cannot be written.
        """
        name = live_job.attempt.name
        is_told = self._seconds and live_job.job.spec.kind is WorkKind.TRAINING
        variables = self.services.stop_objects.bucket.variables(name, request) if is_told else {}
        return variables if variables and self._write(name, RUN) else {}

    def holds_back(self, live_job: LiveJob) -> bool:
        """Returns whether the recorded stop has to wait for the program. Gives notice if none has been given yet."""
        stop, now = live_job.job.status.stop, self.services.clock.now()
        live_job = self._with_report(live_job)
        if stop is None or not gets_notice(live_job):
            return False
        notice = live_job.attempt.notice
        if notice is not None:
            return now < notice.deadline and not self._is_answered(live_job, notice)
        notice = StopNotice(stop.asked_at, stop.asked_at + timedelta(seconds=self._seconds))
        if now < notice.deadline and self._write(live_job.attempt.name, stop_request(notice.asked_at, self._seconds)):
            asked = transitions.ask_to_save(live_job.job, notice, now)
            self.records.update(asked, replace(live_job.attempt, notice=notice))
        return now < notice.deadline

    @property
    def _seconds(self) -> int:
        return self.services.configuration.current().policy.notice

    def _with_report(self, live_job: LiveJob) -> LiveJob:
        """Checks whether the program has reported, if the stop depends on it and no event has shown it."""
        if live_job.attempt.saved is not None or not has_time_to_save(live_job):
            return live_job
        return replace(live_job, attempt=replace(live_job.attempt, saved=self._read_save(live_job)))

    def _is_answered(self, live_job: LiveJob, notice: StopNotice) -> bool:
        """Checks the record that events update and, once per cycle, the object itself: events may be lost."""
        return notice.is_answered_by(live_job.attempt.saved) or notice.is_answered_by(self._read_save(live_job))

    def _read_save(self, live_job: LiveJob) -> Save | None:
        """Reads and records what the program has reported. Returns None after the first call in a cycle.

        A report that cannot be read or recorded counts as missing: its content must never prevent a stop.
        """
        name = live_job.attempt.name
        if self._is_down or name in self._read:
            return None
        self._read.add(name)
        try:
            return self._recorded(live_job, self.services.stop_objects.acknowledgement(name))
        except (MalformedAcknowledgement, RecordRefused, *DATA_ERRORS) as error:
            logger.warning("malformed acknowledgement", extra={"attempt": name, "cause": type(error).__name__})
        except StopObjectsUnavailable:
            self._report_down(name)
        return None

    def _recorded(self, live_job: LiveJob, acknowledgement: bytes | None) -> Save | None:
        attempt = live_job.attempt
        save = save_in(acknowledgement, attempt.name, self.services.clock.now()) if acknowledgement else None
        if save is not None and save.supersedes(attempt.saved):
            self.services.stores.live_attempts.record_save(attempt.name, save, by=SCHEDULE)
            self.live_jobs.replace(replace(live_job, attempt=replace(attempt, saved=save)))
        return save

    def _write(self, attempt_name: str, content: bytes) -> bool:
        if self._is_down:
            return False
        try:
            self.services.stop_objects.write(attempt_name, content)
        except StopObjectsUnavailable:
            self._report_down(attempt_name)
            return False
        return True

    def _report_down(self, attempt_name: str) -> None:
        self._is_down = True
        logger.error("no stop notice", extra={"attempt": attempt_name, "cause": "S3 does not answer"})
