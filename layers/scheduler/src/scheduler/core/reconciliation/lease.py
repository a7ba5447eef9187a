"""The lease: at most one cycle at a time."""

from datetime import datetime

from attrs import field, frozen

from scheduler.core.reconciliation.rate_limit import RateLimits


@frozen
class Lease:
    """The right to run a cycle. `fence` grows with each lease; writes of an older fence are refused."""

    fence: int
    wake_requests: int  # how many calls for a cycle had come in when it was taken
    expires_at: datetime
    rate_limits: RateLimits = field(factory=dict)  # how far the holder before has used SageMaker's rates
    swept_until: datetime | None = None  # when a sweep last asked about all attempts whose turn it was
