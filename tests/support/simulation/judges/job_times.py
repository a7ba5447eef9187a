"""Judges the times that users set: no job starts too early or too late, and expired jobs end."""

from collections.abc import Mapping
from datetime import datetime
from math import inf

from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import ReasonCode
from support.account.account import Account
from support.simulation.judges.checks import Checks

#: The maximum difference between the functions' clocks.
_SKEW = 5.0
#: The longest life of a cycle, pauses included: it may decide before the expiry and start the job after it.
_OLD_DECISION_SECONDS = 100.0
#: Without faults: the lease of a function that died, one lost sweep, and two more.
_SWEPT_WITHIN = 90 + 3 * 60.0


class JobTimesJudge:
    def __init__(self, account: Account, checks: Checks) -> None:
        self._account, self._check = account, checks.check

    def check_submission(self, job: Job, tags: Mapping[str, str]) -> None:
        for option in ("not_before", "expires", "deadline"):
            stored = getattr(job.options.times, option)
            given = tags.get(f"queue:{option.replace('_', '-')}")
            is_same = stored == (given and datetime.fromisoformat(given))
            self._check("times", is_same, f"{option} of {job.name} is {stored}, not {given}")

    def check_start(self, job: Job) -> None:
        now, times = self._account.now, job.options.times
        if times.not_before is not None:
            self._check("times", now >= times.not_before.timestamp() - _SKEW, f"{job.name} starts before its time")
        if times.expires is not None and not _has_started(job):
            latest = times.expires.timestamp() + _OLD_DECISION_SECONDS
            self._check("times", now <= latest, f"{job.name} starts after its expiry")

    def check_end(self, job: Job) -> None:
        if job.status.reason.code is not ReasonCode.EXPIRED:
            return
        expires = job.options.times.expires
        is_due = expires is not None and self._account.now >= expires.timestamp() - _SKEW
        self._check("times", is_due, f"{job.name} has expired too early")
        self._check("times", not _has_started(job), f"{job.name} has expired, though it had started")

    def check_waiting(self, jobs: Mapping[str, Job], calm_since: float) -> None:
        """Checks that, without faults, no unstarted job outlives its expiry, and no job is deferred for too long."""
        latest = self._account.now - _SWEPT_WITHIN
        for job in jobs.values():
            times, since = job.options.times, max(calm_since, job.status.updated_at.timestamp())
            if job.is_finished or since > latest:
                continue
            is_unstarted = not job.is_live and not _has_started(job)
            expires = times.expires.timestamp() if times.expires and is_unstarted else inf
            self._check("times", expires > latest, f"{job.name} is {job.status.state} after its expiry")
            due = times.not_before.timestamp() if times.not_before and job.status.deferred else inf
            self._check("times", due > latest, f"{job.name} is deferred after its time")


def _has_started(job: Job) -> bool:
    """Returns whether an attempt of the job has existed in SageMaker and has ended."""
    return any(ended.outcome is not Outcome.NEVER_STARTED for ended in job.status.history)
