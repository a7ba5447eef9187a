"""The rates at which the queue calls SageMaker: a one-token bucket for each kind of call, refilled after its interval.

All callers share the rates (aws-facts 2.1): intervals leave a margin, and buckets refill more slowly if throttled.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from random import Random

#: The longest refill of a bucket, as a multiple of its interval: a cycle has to end in time.
MOST_SLOWDOWN = 4


class ApiCall(StrEnum):
    CREATE = "create"
    STOP = "stop"
    UPDATE = "update"
    DESCRIBE = "describe"
    LIST = "list"
    LIST_TAGS = "list_tags"


#: Seconds between two calls. Create, Stop and Update have 1/s. Describe has 5/s and List 2/s, mostly for other callers.
INTERVALS = {
    ApiCall.CREATE: 1.1,
    ApiCall.STOP: 1.1,
    ApiCall.UPDATE: 1.1,
    ApiCall.DESCRIBE: 0.4,
    ApiCall.LIST: 1.0,
    ApiCall.LIST_TAGS: 0.4,
}


@dataclass(frozen=True, slots=True)
class Bucket:
    """The time of the next call of a kind, and how many times longer than usual its bucket takes to refill."""

    free_at: datetime
    slowdown: int = 1

    def after_call(self, call: ApiCall, now: datetime) -> "Bucket":
        return replace(self, free_at=now + timedelta(seconds=INTERVALS[call] * self.slowdown))

    def after_throttling(self, call: ApiCall, now: datetime) -> "Bucket":
        """Returns a bucket that refills half as fast, at a random moment, so that two stacks do not keep colliding."""
        slowdown = min(MOST_SLOWDOWN, 2 * self.slowdown)
        share = Random(now.timestamp()).uniform(0.5, 1)  # noqa: S311 - jitter, reproducible for the same time
        return Bucket(now + share * timedelta(seconds=INTERVALS[call] * slowdown), slowdown)

    def after_success(self) -> "Bucket":
        return replace(self, slowdown=max(1, self.slowdown - 1))


#: All buckets. They pass on with the lease: only its holder calls SageMaker.
RateLimits = Mapping[ApiCall, Bucket]
