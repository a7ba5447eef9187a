"""Limits how often the queue calls SageMaker, with a one-token bucket for each kind of call.

A bucket refills after its interval. All callers in an account share SageMaker's rates (aws-facts 2.1), so the intervals
leave a margin, and a bucket refills more slowly after SageMaker has throttled a call.
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
    LIST_TRIALS = "list_trials"


#: Seconds between two calls. SageMaker allows 1 call per second to each of Create, Stop and Update. It allows 5 calls
#: per second to Describe and 2 to List, of which the queue leaves half to other callers. AWS documents no rate for
#: listing a tuning job's trials, so the rate for List applies.
INTERVALS = {
    ApiCall.CREATE: 1.1,
    ApiCall.STOP: 1.1,
    ApiCall.UPDATE: 1.1,
    ApiCall.DESCRIBE: 0.4,
    ApiCall.LIST: 1.0,
    ApiCall.LIST_TAGS: 0.4,
    ApiCall.LIST_TRIALS: 1.0,
}


@dataclass(frozen=True, slots=True)
class Bucket:
    """Holds the time of a kind's next call, and the factor by which the bucket refills more slowly than usual."""

    free_at: datetime
    slowdown: int = 1

    def after_call(self, call: ApiCall, now: datetime) -> "Bucket":
        return replace(self, free_at=now + timedelta(seconds=INTERVALS[call] * self.slowdown))

    def after_throttling(self, call: ApiCall, now: datetime) -> "Bucket":
        """Returns a bucket that refills half as fast. The time is random, so that two stacks do not keep colliding."""
        slowdown = min(MOST_SLOWDOWN, 2 * self.slowdown)
        share = Random(now.timestamp()).uniform(0.5, 1)  # noqa: S311 - jitter, reproducible for the same time
        return Bucket(now + share * timedelta(seconds=INTERVALS[call] * slowdown), slowdown)

    def after_success(self) -> "Bucket":
        return replace(self, slowdown=max(1, self.slowdown - 1))


#: All buckets. They are passed on with the lease, because only its holder calls SageMaker.
RateLimits = Mapping[ApiCall, Bucket]
