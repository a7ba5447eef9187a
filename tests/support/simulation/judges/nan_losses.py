"""Judges stops for losses that are NaN (S10): the losses are NaN, and the owner was warned one window earlier."""

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import Stop
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge
from support.simulation.judges.idle_gpus import grace_of, seems_to_have_trained_for

#: The maximum difference between the functions' clocks.
_SKEW = 5.0


class NanLossJudge:
    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations

    def check_stop(self, job: Job, stop: Stop) -> None:
        name = f"{job.name}-sq-{job.status.attempts}"
        seen = self._configurations.seen("nan", stop.asked_at.timestamp() - OLD_VIEW_SECONDS)
        stopping = [rule for rule in seen if rule.get("action") == "warn-then-stop"]
        self._check("S10", bool(stopping), f"{name} is stopped for its losses, which no setting asks for")
        window = min(parse_duration(rule["window"]) for rule in stopping) - _SKEW
        grace = min(grace_of(job, rule) for rule in stopping)
        attempt, monitoring = self._account.simulation.machine.jobs[name], self._account.monitoring
        is_late = seems_to_have_trained_for(attempt, self._account.now) > grace + window
        self._check("S10", is_late, f"{name} is stopped for its losses within its grace")
        warned_at = job.status.nan_warned_at
        is_warned = warned_at is not None and (stop.asked_at - warned_at).total_seconds() >= window
        self._check("S10", is_warned, f"{name} is stopped for its losses, without a window after a warning")
        is_nan = "nan" in monitoring.line(name) and monitoring.last_line(name) is not None
        self._check("S10", is_nan, f"{name} is stopped for its losses, which are finite")
