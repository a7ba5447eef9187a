"""Reads the watches' signals (metrics and logs), and uses them to decide about one attempt or unmanaged job."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.idle_gpus.alarms import Metric, hosts_of
from scheduler.core.idle_gpus.hangs.activity import activity_of
from scheduler.core.idle_gpus.hangs.hang_check import HangFinding, are_unused, hang_finding
from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.idle_check import GpuUse, UseReading, gpu_use_of
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.idle_gpus.nan_losses.nan_check import NanFinding, nan_finding
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanRule
from scheduler.core.idle_gpus.watch import Watch, is_in_grace_period, trains_since, watched_since, window_start
from scheduler.core.jobs.attempt import Attempt
from scheduler.ports.monitoring import UseMetrics
from scheduler.ports.training import TrainingLogs


@dataclass(frozen=True, slots=True)
class Signals:
    metrics: UseMetrics
    logs: TrainingLogs

    def gpu_use(self, attempt: Attempt, rule: IdleRule, now: datetime, *, is_exempt: bool) -> GpuUse:
        """Returns how the attempt used its GPUs, if that is known. Raises AlarmServiceError."""
        if is_in_grace_period(attempt, rule, now, is_exempt=is_exempt):
            return GpuUse.UNKNOWN
        return gpu_use_of(attempt, self._read(Metric.GPU, attempt, rule, now), rule)

    def hang(self, attempt: Attempt, rule: HangRule, now: datetime, *, is_exempt: bool) -> HangFinding:
        """Checks both signals of a hang, metrics first because they cost only one call. Raises AlarmServiceError."""
        activity, since = activity_of(attempt, rule), trains_since(attempt)
        if since is None or is_in_grace_period(attempt, rule, now, is_exempt=is_exempt):
            return HangFinding.USED
        if activity and not are_unused(activity, self._read(activity.metric, attempt, rule, now), rule):
            return HangFinding.USED
        return hang_finding(self.logs.last_line(attempt.name, since, now), rule)

    def loss(
        self, attempt: Attempt, rule: NanRule, warned_at: datetime | None, now: datetime, *, is_exempt: bool
    ) -> NanFinding:
        """Decides from the losses since the end of the grace period, or since the warning if there was one."""
        begin = watched_since(attempt, rule, is_exempt=is_exempt)
        if begin is None or now < begin:
            return NanFinding.UNKNOWN
        return nan_finding(
            self.logs.last_lines(attempt.name, warned_at or begin), rule, is_warned=warned_at is not None
        )

    def _read(self, metric: Metric, attempt: Attempt, watch: Watch, now: datetime) -> tuple[UseReading, ...]:
        return self.metrics.read(metric, hosts_of(attempt), window_start(watch, now), now)
