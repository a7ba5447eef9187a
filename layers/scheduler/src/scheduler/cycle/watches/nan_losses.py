"""Detects losses that are NaN: reads the log of an attempt in some sweeps, and warns its owner or stops it.

No alarm can start these checks: a program whose loss is NaN uses its hosts and writes log lines like any other.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from scheduler.core.history.notices import nan_notice
from scheduler.core.idle_gpus.nan_losses.nan_check import NanFinding
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanAction, NanRule
from scheduler.core.idle_gpus.watch import warning_of_run
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
class NanLosses:
    live_attempts: LiveAttempts
    signals: Signals
    results: CheckResults
    clock: Clock
    configuration: ConfigurationReader

    def check(self, watched: LiveJob) -> NanFinding:
        """Reads the losses, and acts if they are NaN."""
        now, rule, attempt, job = self.clock.now(), self.configuration.current().nan, watched.attempt, watched.job
        if rule.action is NanAction.OFF:
            return NanFinding.UNKNOWN
        warned_at = warning_of_run(attempt, job.status.nan_warned_at)
        finding = self.signals.loss(attempt, rule, warned_at, now, is_exempt=job.options.idle_exempt)
        if self.live_attempts.attempt(attempt.name) != attempt:
            finding = NanFinding.UNKNOWN  # perhaps its program restarted during the check
        logger.info("checked losses", extra={"attempt": attempt.name, "finding": finding.value})
        if finding is NanFinding.NAN:
            self._act(job, rule, warned_at, now)
        elif finding is NanFinding.NUMBER and job.status.nan_warned_at:
            cleared = replace(job.status, nan_warned_at=None, updated_at=now)
            self.results.save(replace(job, status=cleared))
        return finding

    def _act(self, job: Job, rule: NanRule, warned_at: datetime | None, now: datetime) -> None:
        if warned_at is None:
            warned = job.with_action(ActionKind.WARNED_NAN_LOSS, now)
            status = replace(warned.status, nan_warned_at=now)
            self.results.save(replace(warned, status=status), partial(nan_notice, rule=rule))
        elif rule.stops and now - warned_at >= rule.window:
            self.results.save(transitions.stop_nan_loss(job, rule.minutes, now))
