"""The lease: the right to run a cycle, which at most one function has at a time."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from scheduler.core.reconciliation.rate_limit import RateLimits

#: The longest time without a sweep. A later end of an idle time is a mistake in the record.
LONGEST_IDLE = timedelta(minutes=10)
#: How long the index of waiting jobs may lack a job that was just submitted. AWS documents no bound; it is below a
#: second as a rule.
_INDEX_DELAY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class JudgedQueue:
    """The progress of judging the waiting jobs by the current rules and permissions."""

    digest: str = ""  # of these rules and permissions
    is_complete: bool = False
    next_token: str | None = None  # of the list of waiting jobs, if not all are judged


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run a cycle. `fence` grows with each lease, and writes with an older fence are refused."""

    fence: int
    wake_requests: int  # how many requests for a cycle had come in when the lease was taken
    expires_at: datetime
    rate_limits: RateLimits = field(default_factory=dict)  # how far the last holder used SageMaker's rates
    swept_until: datetime | None = None  # all attempts that were due until then have been polled
    judged_queue: JudgedQueue = JudgedQueue()
    sweep_due: bool = False  # a sweep was turned away, because a cycle was running
    idle_until: datetime | None = None  # a sweep has nothing to do before then, unless a cycle has run meanwhile
    woken_at: datetime | None = None  # when a change last asked for a cycle

    def may_miss_jobs(self, now: datetime) -> bool:
        """Returns whether a job may wait that the index does not show yet: a wake request does not name the jobs."""
        return self.woken_at is not None and now - self.woken_at <= _INDEX_DELAY


def is_idle(idle_until: datetime | None, now: datetime) -> bool:
    """Returns whether a sweep has nothing to do now."""
    return idle_until is not None and now < idle_until <= now + LONGEST_IDLE
