"""Defines the lease: the right to run a cycle, which at most one function holds at a time."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from scheduler.core.reconciliation.rate_limit import RateLimits

#: The longest time without a sweep. If a record's `idle_until` is further ahead, the record is wrong.
LONGEST_IDLE = timedelta(minutes=10)
#: How long a newly submitted job may be missing from the index of waiting jobs. AWS documents no limit; the delay is
#: usually less than a second.
_INDEX_DELAY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class JudgedQueue:
    """Records the progress of checking the waiting jobs against the current rules and permissions."""

    digest: str = ""  # the digest of these rules and permissions
    is_complete: bool = False
    next_token: str | None = None  # continues the list of waiting jobs, if some are still unchecked


@dataclass(frozen=True, slots=True)
class Lease:
    """Grants the right to run a cycle. `fence` grows with each lease, and writes with an older fence are refused."""

    fence: int
    wake_requests: int  # how many requests for a cycle had arrived when the lease was taken
    expires_at: datetime
    rate_limits: RateLimits = field(default_factory=dict)  # as the last holder left them
    swept_until: datetime | None = None  # all attempts due up to this time have been polled
    judged_queue: JudgedQueue = JudgedQueue()
    sweep_due: bool = False  # a sweep was turned away, because a cycle was running
    idle_until: datetime | None = None  # a sweep has nothing to do before this time, unless a cycle has run since
    woken_at: datetime | None = None  # when a change last asked for a cycle
    parked_token: str | None = None  # where the next sweep resumes checking the jobs that exceed the budget
    successors_token: str | None = None  # … the jobs that wait for others
    arrays_token: str | None = None  # … and the arrays

    def may_miss_jobs(self, now: datetime) -> bool:
        """Returns whether the index may still lack a job whose change woke the scheduler.

        Wake requests do not name jobs.
        """
        return self.woken_at is not None and now - self.woken_at <= _INDEX_DELAY


def is_idle(idle_until: datetime | None, now: datetime) -> bool:
    """Returns whether a sweep has nothing to do now."""
    return idle_until is not None and now < idle_until <= now + LONGEST_IDLE
