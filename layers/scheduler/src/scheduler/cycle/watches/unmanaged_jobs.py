"""Watches unmanaged training jobs for idle GPUs, hangs and NaN losses, using the settings for the queue's own jobs.

No alarm watches these jobs: sweeps read their metrics instead, for a bounded number of jobs in each sweep. The queue
cannot run such a job again, and cannot ask its program to save. So the queue only reports the job, or stops it if
operators allow that.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.capacity.gpus import fewest_gpus_of
from scheduler.core.history.notices import NAN_REMEDY, UNDERUSED_REMEDY
from scheduler.core.idle_gpus.hangs.activity import activity_of
from scheduler.core.idle_gpus.hangs.hang_check import HangFinding
from scheduler.core.idle_gpus.hangs.hang_rule import HangAction, HangRule
from scheduler.core.idle_gpus.idle_check import GpuUse
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.idle_gpus.nan_losses.nan_check import NanFinding
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanAction, NanRule
from scheduler.core.idle_gpus.watch import Watch, is_training, warning_of_run
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.reason import hung_for, idle_for, nan_for, newest_are_nan, used_less_than
from scheduler.core.reconciliation.unmanaged_job import Finding, FindingKind, GuardMode, UnmanagedJob, WatchedJob
from scheduler.cycle.reconcile.findings import Findings
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.cycle.watches.signals import Signals
from scheduler.errors.internal import AlarmServiceError, AttemptUnknown
from scheduler.errors.refusals import Violation
from scheduler.ports.job_store import SCHEDULE

logger = logging.getLogger(__name__)

#: The most unmanaged jobs whose metrics one sweep reads. Each job costs up to three calls, and more if its log is read.
WATCHED_PER_SWEEP = 10


@dataclass(frozen=True, slots=True)
class UnmanagedJobWatch:
    services: CycleServices
    findings: Findings
    steps: Steps

    def check_next(self) -> None:
        """Checks the jobs whose last checks are the oldest; none while no configuration can be read."""
        if self.services.guard is GuardMode.OFF or not self.services.configuration.current().is_readable:
            return
        now = self.services.clock.now()
        due = [job for job in self.services.watched_jobs.watched() if job.is_due(now)]
        for job in self.steps.in_time(sorted(due, key=_last_check)[:WATCHED_PER_SWEEP]):
            with self.steps.isolate("watch", job.name):
                self._check(job, now)

    def _check(self, job: WatchedJob, now: datetime) -> None:
        watched = self.services.watched_jobs
        if job.demand == NOTHING:
            self.services.unmanaged_jobs.add_unchecked(
                UnmanagedJob(job.name, now), by=SCHEDULE
            )  # its record could not be read
            watched.unwatch(job.name)
            return
        watched.save_watched(replace(job, checked_at=now))  # first: a failing check must not hold up the others
        observation = self._observe(job)
        if observation is None:
            watched.unwatch(job.name)
        elif is_training(job.attempt(observation)):
            try:
                self._check_program(job, job.attempt(observation), now)
            except AlarmServiceError as error:
                logger.warning("cannot watch", extra={"job": job.name, "cause": str(error)})

    def _observe(self, job: WatchedJob) -> Observation | None:
        """Returns SageMaker's report; None if the job has ended or is ending, or if another job has taken its name."""
        try:
            observation = self.services.training.describe(job.name)
        except AttemptUnknown:
            return None
        is_over = observation.is_terminal or observation.status == "Stopping"
        return None if is_over or observation.created_at != job.created_at else observation

    def _check_program(self, job: WatchedJob, attempt: Attempt, now: datetime) -> None:
        """Checks the GPUs, then for a hang, then the losses, until a check stops the job."""
        configuration = self.services.configuration.current()
        after_use, is_stopped = self._check_use(job, attempt, configuration.idle_gpus, now)
        self._save_change(job, after_use, now)  # now: the next checks may fail, and the notice has been sent
        if not is_stopped and not self._check_hang(after_use, attempt, configuration.hangs, now):
            after_losses = self._check_losses(after_use, attempt, configuration.nan, now)
            self._save_change(after_use, after_losses, now)

    def _save_change(self, known: WatchedJob, changed: WatchedJob, now: datetime) -> None:
        if changed != known:
            self.services.watched_jobs.save_watched(replace(changed, checked_at=now))

    def _check_use(self, job: WatchedJob, attempt: Attempt, rule: IdleRule, now: datetime) -> tuple[WatchedJob, bool]:
        """Reports low GPU utilisation, and may stop the job. Returns the changed job, and whether it was stopped."""
        is_on = rule.action is not IdleAction.OFF or rule.minimum_utilisation > 0
        if not is_on or not fewest_gpus_of(attempt.demand):
            return job, False
        use, is_stopped = self._signals.gpu_use(attempt, rule, now, is_exempt=job.is_exempt), False
        if use is GpuUse.IDLE:
            stops = rule.action is IdleAction.STOP or (rule.stops and _is_over(job.idle_warned_at, rule, now))
            remedy = "Stop it if it hangs; the tag queue:idle-exempt=true permits idle GPUs."
            violation = Violation("idle_gpus", "", idle_for(rule.minutes), remedy)
            is_stopped = self._report(job, FindingKind.IDLE, violation, stops=stops)
            job = replace(job, idle_warned_at=job.idle_warned_at or now)
        elif use is GpuUse.UNDERUSED:
            stops = rule.stops_underused and _is_over(job.underused_warned_at, rule, now)
            violation = Violation("idle_gpus", "", used_less_than(rule.minimum_utilisation), UNDERUSED_REMEDY)
            is_stopped = self._report(job, FindingKind.UNDERUSED, violation, stops=stops)
            job = replace(job, idle_warned_at=None, underused_warned_at=job.underused_warned_at or now)
        elif use is GpuUse.BUSY:
            job = replace(job, idle_warned_at=None, underused_warned_at=None)
        elif use is GpuUse.NOT_IDLE:
            job = replace(job, idle_warned_at=None)
        return job, is_stopped

    def _check_hang(self, job: WatchedJob, attempt: Attempt, rule: HangRule, now: datetime) -> bool:
        if rule.action is HangAction.OFF:
            return False
        hang = self._signals.hang(attempt, rule, now, is_exempt=job.is_exempt)
        return hang is HangFinding.HUNG and self._act_on_hang(job, attempt, rule)

    def _act_on_hang(self, job: WatchedJob, attempt: Attempt, rule: HangRule) -> bool:
        stops = rule.stops and activity_of(attempt, rule) is not None
        remedy = "Stop it if it hangs; the tag queue:idle-exempt=true prevents the stop."
        return self._report(job, FindingKind.HANG, Violation("hangs", "", hung_for(rule.minutes), remedy), stops=stops)

    def _check_losses(self, job: WatchedJob, attempt: Attempt, rule: NanRule, now: datetime) -> WatchedJob:
        if rule.action is NanAction.OFF:
            return job
        warned_at = warning_of_run(attempt, job.nan_warned_at)
        finding = self._signals.loss(attempt, rule, warned_at, now, is_exempt=job.is_exempt)
        if finding is NanFinding.UNKNOWN:
            return job
        if finding is NanFinding.NUMBER:
            return replace(job, nan_warned_at=None)
        stops = rule.stops and _is_over(warned_at, rule, now)
        message = nan_for(rule.minutes) if stops else newest_are_nan(rule.values)
        self._report(job, FindingKind.NAN_LOSS, Violation("nan", "", message, NAN_REMEDY), stops=stops)
        return replace(job, nan_warned_at=warned_at or now)

    @property
    def _signals(self) -> Signals:
        return Signals(self.services.metrics, self.services.logs)

    def _report(self, job: WatchedJob, kind: FindingKind, violation: Violation, *, stops: bool) -> bool:
        """Acts on a watch's finding. Returns whether the job was stopped."""
        is_stopped = stops and self.findings.may_stop and not job.is_child
        self.findings.act(Finding(job.name, job.created_at, is_stopped, (violation,), kind), job.owner)
        return is_stopped


def _is_over(warned_at: datetime | None, rule: Watch, now: datetime) -> bool:
    """Returns whether the time after the warning is over."""
    return warned_at is not None and now - warned_at >= rule.window


def _last_check(job: WatchedJob) -> datetime:
    return job.checked_at or job.created_at
