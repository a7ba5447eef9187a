"""Judges hangs (S10): only programs that wrote no line and used no GPU or CPU are stopped as hung, and retried once."""

from datetime import UTC, datetime
from typing import Any

from local_sagemaker.state_machine.capacity import demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import Stop, StopCause
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge
from support.simulation.judges.idle_gpus import grace_of, seems_to_have_trained_for
from support.simulation.submissions.gpu_usage import GPU_TYPES
from support.simulation.submissions.log_lines import CPU_PERCENT, LAST_LINE_AFTER

#: The maximum difference between the functions' clocks.
_SKEW = 5.0


class HangJudge:
    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations
        self._retried: dict[str, datetime] = {}  # when the stop that lets a job run again was requested

    def check_stop(self, job: Job, stop: Stop) -> None:
        name = f"{job.name}-sq-{job.status.attempts}"
        self._check_retries(job.name, stop)
        seen = self._configurations.seen("hangs", stop.asked_at.timestamp() - OLD_VIEW_SECONDS)
        stopping = [rule for rule in seen if _may_stop(rule, stop.cause)]
        self._check("S10", bool(stopping), f"{name} is stopped as hung, which no setting asks for")
        window = min(_seconds(rule, "window") for rule in stopping) - _SKEW
        grace = min(grace_of(job, rule) for rule in stopping)
        attempt, now = self._account.simulation.machine.jobs[name], self._account.now
        is_late = seems_to_have_trained_for(attempt, now) > grace + window
        self._check("S10", is_late, f"{name} is stopped as hung within its grace")
        line = self._account.monitoring.last_line(name)
        is_silent = line is not None and stop.asked_at.timestamp() - line > window
        self._check("S10", is_silent, f"{name} is stopped as hung, and its last line was at {line}")
        at = datetime.fromtimestamp((line or 0) - LAST_LINE_AFTER + 1, UTC)
        hosts = [f"{name}/algo-{number}" for number in range(1, demand(attempt.resolved_request).total() + 1)]
        is_unused = all(self._is_unused(host, at, gpus=self._has_gpus(name)) for host in hosts)
        self._check("S10", is_unused, f"{name} is stopped as hung, and its hosts were used")

    def _check_retries(self, job: str, stop: Stop) -> None:
        if stop.cause is StopCause.HANG_RETRY:
            first = self._retried.setdefault(job, stop.asked_at)
            self._check("S10", first == stop.asked_at, f"{job} is retried after a second hang")

    def _has_gpus(self, attempt: str) -> bool:
        request = self._account.simulation.machine.jobs[attempt].resolved_request
        return not GPU_TYPES.isdisjoint(demand(request))

    def _is_unused(self, host: str, at: datetime, *, gpus: bool) -> bool:
        cloudwatch = self._account.monitoring.cloudwatch
        used = cloudwatch.usage(host, at) if gpus else cloudwatch.cpu_usage(host, at)
        return used is not None and used <= (0 if gpus else CPU_PERCENT)


def _may_stop(rule: dict[str, Any], cause: StopCause) -> bool:
    actions = {"stop-and-retry"} if cause is StopCause.HANG_RETRY else {"stop", "stop-and-retry"}
    return rule.get("action", "off") in actions


def _seconds(rule: dict[str, Any], member: str) -> int:
    return parse_duration(rule.get(member, {"window": "20m", "grace": "15m"}[member]))
