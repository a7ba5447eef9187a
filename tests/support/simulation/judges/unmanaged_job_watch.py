"""Judges stops of unmanaged jobs for idle GPUs, hangs and NaN losses (S8, S10).

The limits are the same as for the queue's own jobs.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from local_sagemaker.state_machine.capacity import demand
from local_sagemaker.state_machine.job import Secondary, TrainingJob
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.configurations import ConfigurationJudge
from support.simulation.submissions.gpu_usage import GPU_TYPES
from support.simulation.submissions.log_lines import CPU_PERCENT, trained_for

#: The maximum difference between the functions' clocks.
_SKEW = 5.0
_DEFAULTS = {
    "idle_gpus": {"action": "warn-then-stop", "window": "15m", "grace": "15m", "exempt_for": "24h"},
    "hangs": {"action": "off", "window": "20m", "grace": "15m", "exempt_for": "24h"},
}


class UnmanagedJobWatchJudge:
    def __init__(self, account: Account, configurations: ConfigurationJudge) -> None:
        self._account, self._configurations = account, configurations

    def may_stop(self, job: TrainingJob) -> bool:
        """Returns whether any version that a cycle may have read lets it stop the job."""
        if job.transitions[-1].status is not Secondary.TRAINING:
            return False
        rules = [(kind, _DEFAULTS[kind] | rule) for kind in _DEFAULTS for rule in self._configurations.seen(kind)]
        return (
            self._may_stop_underused(job)
            or self._may_stop_losses(job)
            or any(
                "stop" in rule["action"]
                and trained_for(job, self._account.now) > _least(job, rule)
                and self._is_unused(job)
                and (kind == "idle_gpus" or self._is_silent(job, parse_duration(rule["window"])))
                for kind, rule in rules
            )
        )

    def _is_silent(self, job: TrainingJob, window: int) -> bool:
        line = self._account.monitoring.last_line(job.name)
        return line is not None and self._account.now - line > window - _SKEW

    def _may_stop_underused(self, job: TrainingJob) -> bool:
        rules = [_DEFAULTS["idle_gpus"] | rule for rule in self._configurations.seen("idle_gpus")]
        used = self._used(job)
        measured = [use for use in used if use is not None]
        return len(measured) == len(used) and any(
            rule.get("underused") == "warn-then-stop"
            and trained_for(job, self._account.now) > _least(job, rule | {"action": "warn-then-stop"})
            and sum(measured) / len(measured) < rule["minimum_utilisation"]
            for rule in rules
        )

    def _may_stop_losses(self, job: TrainingJob) -> bool:
        rules = [rule for rule in self._configurations.seen("nan") if rule.get("action") == "warn-then-stop"]
        monitoring = self._account.monitoring
        is_nan = "nan" in monitoring.line(job.name) and monitoring.last_line(job.name) is not None
        return is_nan and any(
            trained_for(job, self._account.now) > _least(job, rule | {"action": "stop"})  # the warning needs no window
            for rule in rules
        )

    def _is_unused(self, job: TrainingJob) -> bool:
        most = CPU_PERCENT if GPU_TYPES.isdisjoint(demand(job.resolved_request)) else 0
        return all(percent is not None and percent <= most for percent in self._used(job))

    def _used(self, job: TrainingJob) -> list[float | None]:
        """Returns the use of the hosts' GPUs, or of their CPUs if they have no GPUs."""
        cloudwatch, instances = self._account.monitoring.cloudwatch, demand(job.resolved_request)
        usage = cloudwatch.cpu_usage if GPU_TYPES.isdisjoint(instances) else cloudwatch.usage
        at = datetime.fromtimestamp(job.transitions[-1].start + 1, UTC)
        return [usage(f"{job.name}/algo-{number}", at) for number in range(1, instances.total() + 1)]


def _least(job: TrainingJob, rule: Mapping[str, Any]) -> float:
    """Returns the seconds of training before the first stop: the grace period or exemption, and the windows."""
    grace = parse_duration(rule["grace"])
    if job.tags.get("queue:idle-exempt") == "true":
        grace = max(grace, parse_duration(rule["exempt_for"]))
    windows = 2 if rule["action"] == "warn-then-stop" else 1  # the warning comes after the first
    return grace + windows * parse_duration(rule["window"]) - _SKEW
