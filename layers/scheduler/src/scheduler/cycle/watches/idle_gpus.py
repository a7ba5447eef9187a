"""Detects idle GPUs: keeps a set of CloudWatch alarms for each watched attempt, and checks attempts with firing alarms.

The alarms on hangs are kept here too; `hangs.py` checks their attempts, and `nan_losses.py` reads losses.

An alarm only triggers a check. Fresh metrics from all hosts of the attempt decide whether it is idle. This module
records a stop in the same way as a user's stop request; only the cycle stops training jobs.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from scheduler.core.history.notices import idle_notice, underused_notice
from scheduler.core.idle_gpus.alarms import (
    AlarmKind,
    UseAlarm,
    needs_alarms,
    needs_gpu_alarms,
    parse_alarm_name,
    prefix_of,
    required_alarms,
)
from scheduler.core.idle_gpus.hangs import activity as hang_activity
from scheduler.core.idle_gpus.hangs.hang_check import HangFinding
from scheduler.core.idle_gpus.idle_check import GpuUse
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.idle_gpus.nan_losses import nan_check
from scheduler.core.idle_gpus.nan_losses.nan_check import NanFinding
from scheduler.core.jobs import transitions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.polling import sample
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.cycle.steps import log_set_aside
from scheduler.cycle.watches.check_results import CheckResults
from scheduler.cycle.watches.hangs import Hangs
from scheduler.cycle.watches.nan_losses import NanLosses
from scheduler.cycle.watches.signals import Signals
from scheduler.errors.internal import DATA_ERRORS, AlarmServiceError, UnknownJob
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore, LiveAttempts
from scheduler.ports.monitoring import Alarms

logger = logging.getLogger(__name__)

#: The most attempts whose losses one sweep reads, and the most attempts without a metric whose last lines it reads. The
#: next sweep reads others.
_LOGS_PER_SWEEP = 5
#: Seconds between two alarms: CloudWatch accepts three a second (aws-facts 3.7).
_PUT_INTERVAL = 0.35


@dataclass(frozen=True, slots=True)
class IdleGpus:
    jobs: JobStore
    live_attempts: LiveAttempts
    live_job_cache: LiveJobCache
    alarms: Alarms
    signals: Signals
    results: CheckResults
    hangs: Hangs
    nan_losses: NanLosses
    clock: Clock
    configuration: ConfigurationReader
    name_mark: str

    def sweep(self, time_left: timedelta) -> bool:
        """Deletes finished attempts' alarms, creates missing alarms, checks firing alarms, and updates changed alarms.

        Returns whether any alarms existed or are needed: if so, the next sweep may have work to do. Checking firing
        alarms covers lost messages: CloudWatch sends only one message when an alarm changes state (aws-facts 3.10).
        The sweep ends after `time_left`, and the next sweep continues. Missing alarms come before the checks, but leave
        them half of the time: after a change of the rule, alarms are missing for many sweeps. While no configuration
        can be read, nothing changes.
        """
        if not self.configuration.current().is_readable:
            return True  # the next sweep may be able to read it
        deadline = self.clock.now() + time_left
        live = self.live_job_cache.live(consistent=False)  # the next sweep handles attempts that just started or ended
        existing = {state.name: state for state in self.alarms.list(prefix_of(self.name_mark))}
        now, hang_rule = self.clock.now(), self.configuration.current().hangs
        wanted = required_alarms(live, self._rule(), self.name_mark, now)
        wanted |= hang_activity.required_alarms(live, hang_rule, self.name_mark, now)
        if orphans := sorted(existing.keys() - wanted.keys()):  # first: they use up the account's quota of alarms
            self.alarms.delete(orphans)
        self._put_until(
            deadline - time_left / 2, [alarm for name, alarm in sorted(wanted.items()) if name not in existing]
        )
        firing = [name for name in sorted(wanted.keys() & existing.keys()) if existing[name].is_firing]
        by_log = hang_activity.checks_by_log(live, hang_rule, self.name_mark, now)
        losses = nan_check.checks_of(live, self.configuration.current().nan, self.name_mark, now)
        by_turns = [
            name for names in (by_log, losses) for name in sample(names, _LOGS_PER_SWEEP, round(now.timestamp()))
        ]
        self._check_until(deadline, [*firing, *by_turns])
        self._forget_warnings(live, [*firing, *by_log])
        known = [(existing[name].alarm, alarm) for name, alarm in sorted(wanted.items()) if name in existing]
        self._put_until(deadline, [alarm for present, alarm in known if present != alarm])
        return bool(existing or wanted)

    def check(self, alarm_name: str) -> GpuUse | HangFinding | NanFinding | None:
        """Checks the attempt that the alarm watches.

        Returns None if the attempt is no longer watched, or while no configuration can be read.
        """
        attempt_name, kind = parse_alarm_name(alarm_name, self.name_mark) or ("", None)
        watched = self._watched(attempt_name, kind) if kind else None
        if watched is None or kind is None:
            logger.info("ignored an alarm", extra={"alarm": alarm_name})
            return None
        match kind:
            case AlarmKind.HANG:
                return self.hangs.check(watched)
            case AlarmKind.NAN:
                return self.nan_losses.check(watched)
        return self._check_gpus(watched, kind)

    def _check_gpus(self, watched: LiveJob, kind: AlarmKind) -> GpuUse:
        """Warns the owner or stops the attempt if its GPUs are idle or underused."""
        name, now, rule = watched.attempt.name, self.clock.now(), self._rule()
        use = self.signals.gpu_use(watched.attempt, rule, now, is_exempt=watched.job.options.idle_exempt)
        if self.live_attempts.attempt(name) != watched.attempt:
            # The attempt's record changed during the check, perhaps because its program restarted: the next sweep
            # checks it again.
            use = GpuUse.UNKNOWN
        logger.info("checked GPUs", extra={"attempt": name, "alarm_kind": kind, "use": use.value})
        if use is GpuUse.IDLE and kind is AlarmKind.IDLE:
            self._act_on_idle(watched.job, rule, now)
        elif use is GpuUse.UNDERUSED and kind is AlarmKind.UNDERUSED:
            self._act_on_underuse(watched.job, rule, now)
        return use

    def _put_until(self, deadline: datetime, alarms: Iterable[UseAlarm]) -> None:
        """Puts alarms until the deadline, or until CloudWatch refuses one: the quota may be full."""
        for alarm in alarms:
            if self.clock.now() >= deadline:
                break
            try:
                self.alarms.put(alarm)
            except AlarmServiceError as error:  # must not prevent the checks of other attempts
                logger.error("no alarm", extra={"alarm": alarm.name, "cause": str(error)})  # noqa: TRY400 - its text says it all
                break
            self.clock.sleep(_PUT_INTERVAL)

    def _check_until(self, deadline: datetime, firing: Sequence[str]) -> None:
        """Checks attempts with firing alarms in random order: a fixed order could skip the same alarm every time."""
        for name in sample(firing, len(firing), round(deadline.timestamp())):
            if self.clock.now() >= deadline:
                break
            try:
                self.check(name)
            except DATA_ERRORS as error:  # one attempt's error must not prevent the other checks, or the cycle
                log_set_aside("idle", name, error)

    def _watched(self, attempt_name: str, kind: AlarmKind) -> LiveJob | None:
        attempt = self.live_attempts.attempt(attempt_name)
        if attempt is None:
            return None
        try:
            live = LiveJob(self.jobs.get(attempt.job_name), attempt)
        except UnknownJob:
            return None
        now, configuration = self.clock.now(), self.configuration.current()
        match kind:
            case AlarmKind.HANG:
                is_watched = needs_alarms(live, configuration.hangs, now)
            case AlarmKind.NAN:
                is_watched = needs_alarms(live, configuration.nan, now)
            case AlarmKind.IDLE | AlarmKind.UNDERUSED:
                is_watched = needs_gpu_alarms(live, configuration.idle_gpus, now)
        is_watched = is_watched and configuration.is_readable
        return live if live.job.status.state is JobState.RUNNING and is_watched else None

    def _rule(self) -> IdleRule:
        return self.configuration.current().idle_gpus

    def _act_on_idle(self, job: Job, rule: IdleRule, now: datetime) -> None:
        warned_at = job.status.idle_warned_at
        if rule.action is IdleAction.STOP or (rule.stops and warned_at and now - warned_at >= rule.window):
            self.results.save(transitions.stop_idle(job, rule.minutes, now))
        elif warned_at is None:
            warned = job.with_action(ActionKind.WARNED_IDLE, now)
            status = replace(warned.status, idle_warned_at=now)
            self.results.save(replace(warned, status=status), partial(idle_notice, rule=rule))

    def _act_on_underuse(self, job: Job, rule: IdleRule, now: datetime) -> None:
        warned_at = job.status.underused_warned_at
        if warned_at is None:
            warned = job.with_action(ActionKind.WARNED_UNDERUSED, now)
            status = replace(warned.status, underused_warned_at=now)
            self.results.save(replace(warned, status=status), partial(underused_notice, rule=rule))
        elif rule.stops_underused and now - warned_at >= rule.window:
            self.results.save(transitions.stop_underused(job, rule.minimum_utilisation, now))

    def _forget_warnings(self, live: Iterable[LiveJob], firing: Iterable[str]) -> None:
        """Clears warnings about jobs that work again, so their owners are warned again before a later stop."""
        still_firing = {parse_alarm_name(name, self.name_mark) for name in firing}
        for live_job in live:
            status, attempt = live_job.job.status, live_job.attempt.name
            is_idle, is_low, is_hung = (
                (attempt, kind) in still_firing for kind in (AlarmKind.IDLE, AlarmKind.UNDERUSED, AlarmKind.HANG)
            )
            is_low = is_low or not self._rule().stops_underused  # one warning per attempt is enough
            kept = replace(
                status,
                idle_warned_at=status.idle_warned_at if is_idle else None,
                underused_warned_at=status.underused_warned_at if is_low else None,
                hang_warned_at=status.hang_warned_at if is_hung else None,
            )
            if kept != status and status.state is JobState.RUNNING:
                changed = replace(kept, updated_at=self.clock.now())
                self.results.save(replace(live_job.job, status=changed))
