"""Detects hangs: checks the metrics and the log of an attempt whose alarm fires, and warns its owner or stops it.

As for idle GPUs, an alarm only triggers a check, and only the cycle stops training jobs.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.history.notices import hang_notice
from scheduler.core.idle_gpus.hangs.activity import activity_of
from scheduler.core.idle_gpus.hangs.hang_check import HangFinding
from scheduler.core.idle_gpus.hangs.hang_rule import HangAction
from scheduler.core.jobs import transitions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind
from scheduler.core.jobs.live_job import LiveJob
from scheduler.cycle.watches.check_results import CheckResults
from scheduler.cycle.watches.signals import Signals
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import LiveAttempts

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hangs:
    live_attempts: LiveAttempts
    signals: Signals
    results: CheckResults
    clock: Clock
    configuration: ConfigurationReader

    def check(self, watched: LiveJob) -> HangFinding:
        """Checks both signals of a hang, and acts if they agree.

        If no metric shows whether the attempt works, as on Trainium, the log alone warns its owner, once for each hang.
        """
        now, configuration = self.clock.now(), self.configuration.current()
        rule, job = configuration.hangs, watched.job
        has_metric = activity_of(watched.attempt, rule) is not None
        if job.status.hang_warned_at and has_metric and not rule.stops:
            return HangFinding.HUNG  # its owner knows; the end of the alarm ends the hang
        finding = self.signals.hang(watched.attempt, rule, now, is_exempt=job.options.idle_exempt)
        if self.live_attempts.attempt(watched.attempt.name) != watched.attempt:
            finding = HangFinding.USED  # perhaps its program restarted during the check
        logger.info("checked for a hang", extra={"attempt": watched.attempt.name, "finding": finding.value})
        if finding is HangFinding.HUNG:
            self._act(job, configuration, now, may_stop=rule.stops and has_metric)
        elif finding is not HangFinding.UNKNOWN and job.status.hang_warned_at and not has_metric:
            cleared = replace(job.status, hang_warned_at=None, updated_at=now)
            self.results.save(replace(job, status=cleared))
        return finding

    def _act(self, job: Job, configuration: Configuration, now: datetime, *, may_stop: bool) -> None:
        rule = configuration.hangs
        if may_stop:
            retry = rule.action is HangAction.STOP_AND_RETRY and _may_run_again(job, configuration)
            self.results.save(transitions.stop_hung(job, rule.minutes, now, retry=retry))
        elif rule.action is not HangAction.OFF and job.status.hang_warned_at is None:
            warned = job.with_action(ActionKind.WARNED_HUNG, now)
            status = replace(warned.status, hang_warned_at=now)
            self.results.save(replace(warned, status=status), partial(hang_notice, rule=rule))


def _may_run_again(job: Job, configuration: Configuration) -> bool:
    """Returns whether the job may be retried: it allows retries, has attempts left, and was not retried for a hang."""
    is_first = job.status.hang_retries == 0 and job.options.retries != 0
    return is_first and job.status.attempts < configuration.retries.attempts_per_job
