"""Watches for GPUs that nobody uses: keeps the alarms in step with the attempts, and checks what an alarm says.

An alarm only gives a reason to look: whether an attempt is idle is decided on fresh metrics of all its hosts. The wish
to stop it is recorded like a user's; only the cycle stops training jobs.
"""

import logging
from collections.abc import Iterable
from datetime import datetime

from attrs import evolve, frozen

from scheduler.core.history.notices import Notice, idle, underused
from scheduler.core.idle_gpus.alarms import hosts_of, is_watched, parse_alarm_name, prefix_of, wanted_alarms
from scheduler.core.idle_gpus.gpu_metrics import AlarmKind, GpuUse
from scheduler.core.idle_gpus.idle_check import gpu_use_of, is_in_grace_period, window_start
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.jobs import transitions
from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.errors.internal import StaleJob, UnknownJob
from scheduler.ports.alarms import Alarms, GpuMetrics
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import IDLE_ALARM, JobStore
from scheduler.ports.notifications import Notifier

logger = logging.getLogger(__name__)


@frozen
class IdleGpus:
    store: JobStore
    live_job_cache: LiveJobCache
    alarms: Alarms
    metrics: GpuMetrics
    notifier: Notifier
    clock: Clock
    rule: IdleRule
    name_mark: str

    def sweep(self) -> None:
        """Make the missing alarms, delete those of attempts that are over, look again at each that is firing.

        CloudWatch acts once, on the change of an alarm's state (aws-facts 3.10): what was lost then is found here.
        """
        live = self.live_job_cache.live(consistent=False)  # who has just come or gone is the next sweep's
        there = {state.name: state for state in self.alarms.list(prefix_of(self.name_mark))}
        wanted = wanted_alarms(live, self.rule, self.name_mark)
        for name in sorted(wanted.keys() - there.keys()):
            self.alarms.put(wanted[name])
        if orphans := sorted(there.keys() - wanted.keys()):
            self.alarms.delete(orphans)
        firing = [name for name in sorted(wanted.keys() & there.keys()) if there[name].is_firing]
        for name in firing:
            self.check(name)
        self._forget_warnings(live, firing)

    def check(self, alarm_name: str) -> GpuUse | None:
        """Look at the attempt that the alarm is about, and act on it; None if there is nothing to look at any more."""
        attempt_name, kind = parse_alarm_name(alarm_name, self.name_mark) or ("", None)
        watched = self._watched(attempt_name) if kind else None
        if watched is None:
            logger.info("passed over an alarm", extra={"alarm": alarm_name})
            return None
        now = self.clock.now()
        use = self._use(watched.attempt, now)
        if self.store.attempt(attempt_name) != watched.attempt:
            use = (
                GpuUse.UNKNOWN
            )  # something was heard of it meanwhile, maybe that it starts anew: the next sweep looks again
        logger.info("checked GPUs", extra={"attempt": attempt_name, "alarm_kind": kind, "use": use.value})
        if use is GpuUse.IDLE and kind is AlarmKind.IDLE:
            self._act_on_idle(watched.job, now)
        elif use is GpuUse.UNDERUSED and kind is AlarmKind.UNDERUSED and watched.job.underused_warned_at is None:
            told = watched.job.with_action(ActionKind.WARNED_UNDERUSED, now)
            self._save_and_notify(evolve(told, underused_warned_at=now), underused(watched.job, self.rule))
        return use

    def _watched(self, attempt_name: str) -> LiveJob | None:
        attempt = self.store.attempt(attempt_name)
        if attempt is None:
            return None
        try:
            live = LiveJob(self.store.get(attempt.job_name), attempt)
        except UnknownJob:
            return None
        return live if live.job.state is JobState.RUNNING and is_watched(live) else None

    def _use(self, attempt: Attempt, now: datetime) -> GpuUse:
        if is_in_grace_period(attempt, self.rule, now):
            return GpuUse.UNKNOWN
        since = window_start(self.rule, now)
        return gpu_use_of(attempt, self.metrics.read(hosts_of(attempt), since, now, self.rule.period), self.rule)

    def _act_on_idle(self, job: Job, now: datetime) -> None:
        told_at = job.idle_warned_at
        if self.rule.action is IdleAction.STOP or (self.rule.stops and told_at and now - told_at >= self.rule.window):
            self._save(transitions.stop_idle(job, self.rule.minutes, now))
        elif told_at is None:
            told = job.with_action(ActionKind.WARNED_IDLE, now)
            self._save_and_notify(evolve(told, idle_warned_at=now), idle(job, self.rule))

    def _save_and_notify(self, told: Job, notice: Notice) -> None:
        if self._save(told):
            self.notifier.notify(notice)

    def _forget_warnings(self, live: Iterable[LiveJob], firing: Iterable[str]) -> None:
        """Who was told and has gone back to work is told again, and not stopped at once, the next time."""
        still_idle = {parse_alarm_name(name, self.name_mark) for name in firing}
        for one in live:
            back_at_work = (one.attempt.name, AlarmKind.IDLE) not in still_idle
            if one.job.idle_warned_at and back_at_work and one.job.state is JobState.RUNNING:
                self._save(evolve(one.job, idle_warned_at=None))

    def _save(self, job: Job) -> bool:
        try:
            self.store.save(job, by=IDLE_ALARM)
        except StaleJob:
            return False  # it changed meanwhile, maybe it ended: the next sweep looks again
        return True
