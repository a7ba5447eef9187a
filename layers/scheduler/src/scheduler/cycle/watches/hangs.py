"""Detects hangs: checks the metrics and the log of an attempt whose alarm fires, and warns its owner or stops it.

As for idle GPUs, an alarm only triggers a check, and only the cycle stops training jobs.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.history.notices import hang_notice
from scheduler.core.idle_gpus.alarms import hosts_of
from scheduler.core.idle_gpus.hangs.activity import Activity, activity_of
from scheduler.core.idle_gpus.hangs.hang_check import HangFinding, are_unused, is_silent
from scheduler.core.idle_gpus.hangs.hang_rule import HangAction, HangRule
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.core.idle_gpus.watch import is_in_grace_period, trains_since, window_start
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind
from scheduler.core.jobs.live_job import LiveJob
from scheduler.cycle.watches.check_results import CheckResults
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import LiveAttempts
from scheduler.ports.monitoring import UseMetrics
from scheduler.ports.training import TrainingLogs

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hangs:
    live_attempts: LiveAttempts
    metrics: UseMetrics
    logs: TrainingLogs
    results: CheckResults
    clock: Clock
    configuration: ConfigurationReader

    def check(self, watched: LiveJob) -> HangFinding:
        """Checks both signals of a hang, metrics first because they cost one call, and acts if they agree.

        If no metric shows whether the attempt works, as on Trainium, the log alone warns its owner.
        """
        now, configuration = self.clock.now(), self.configuration.current()
        rule = configuration.hangs
        may_stop = rule.stops and activity_of(watched.attempt, rule) is not None
        if watched.job.status.hang_warned_at and not may_stop:
            return HangFinding.HUNG  # its owner knows
        finding = self._finding(watched, rule, now)
        if self.live_attempts.attempt(watched.attempt.name) != watched.attempt:
            finding = HangFinding.USED  # perhaps its program restarted during the check
        logger.info("checked for a hang", extra={"attempt": watched.attempt.name, "finding": finding.value})
        if finding is HangFinding.HUNG:
            self._act(watched.job, configuration, now, may_stop=may_stop)
        return finding

    def _finding(self, watched: LiveJob, rule: HangRule, now: datetime) -> HangFinding:
        attempt = watched.attempt
        activity, since = activity_of(attempt, rule), trains_since(attempt)
        if since is None or is_in_grace_period(watched, rule, now):
            return HangFinding.USED
        if activity and not are_unused(activity, self._read(activity, attempt, rule, now), rule):
            return HangFinding.USED
        is_hung = is_silent(self.logs.last_line_at(attempt.name, since), rule, now)
        return HangFinding.HUNG if is_hung else HangFinding.LOGS

    def _read(self, activity: Activity, attempt: Attempt, rule: HangRule, now: datetime) -> tuple[UseReading, ...]:
        return self.metrics.read(activity.metric, hosts_of(attempt), window_start(rule, now), now)

    def _act(self, job: Job, configuration: Configuration, now: datetime, *, may_stop: bool) -> None:
        rule = configuration.hangs
        if may_stop:
            retry = rule.action is HangAction.STOP_AND_RETRY and _may_run_again(job, configuration)
            self.results.save(transitions.stop_hung(job, rule.minutes, now, retry=retry))
        elif rule.action is not HangAction.OFF:
            warned = job.with_action(ActionKind.WARNED_HUNG, now)
            status = replace(warned.status, hang_warned_at=now)
            self.results.save(replace(warned, status=status), hang_notice(job, rule))


def _may_run_again(job: Job, configuration: Configuration) -> bool:
    """Returns whether the job has not been retried after a hang before, nor had all attempts that it may have."""
    return job.status.hang_retries == 0 and job.status.attempts < configuration.retries.attempts_per_job
