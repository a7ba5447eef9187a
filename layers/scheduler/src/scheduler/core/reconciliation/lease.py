"""The lease: the right to run a cycle, which at most one function has at a time."""

from dataclasses import dataclass, field
from datetime import datetime

from scheduler.core.reconciliation.rate_limit import RateLimits


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run a cycle. `fence` grows with each lease, and writes with an older fence are refused."""

    fence: int
    wake_requests: int  # how many requests for a cycle had come in when the lease was taken
    expires_at: datetime
    rate_limits: RateLimits = field(default_factory=dict)  # how far the last holder used SageMaker's rates
    swept_until: datetime | None = None  # all attempts that were due until then have been polled
