"""How fast SageMaker is called: one bucket of one token for each kind of call, which fills within the interval.

The rates are the account's and not ours alone (aws-facts 2.1). So the intervals leave a margin, and a bucket fills the
more slowly the more often SageMaker has throttled the call lately: somebody else calls as well.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from random import Random

from attrs import evolve, frozen

#: The slowest that a bucket gets, as a multiple of its interval: a cycle has to end in time.
MOST_SLOWDOWN = 4


class ApiCall(StrEnum):
    CREATE = "create"
    STOP = "stop"
    UPDATE = "update"
    DESCRIBE = "describe"
    LIST = "list"
    LIST_TAGS = "list_tags"


#: Seconds between two calls. Create, Stop and Update have 1/s; of Describe's 5/s and List's 2/s much is left to others.
INTERVALS = {
    ApiCall.CREATE: 1.1,
    ApiCall.STOP: 1.1,
    ApiCall.UPDATE: 1.1,
    ApiCall.DESCRIBE: 0.4,
    ApiCall.LIST: 1.0,
    ApiCall.LIST_TAGS: 0.4,
}


@frozen
class Bucket:
    """When the next call of a kind may go out, and how much slower than usual the bucket fills."""

    free_at: datetime
    slowdown: int = 1

    def after_call(self, call: ApiCall, now: datetime) -> "Bucket":
        return evolve(self, free_at=now + timedelta(seconds=INTERVALS[call] * self.slowdown))

    def after_throttling(self, call: ApiCall, now: datetime) -> "Bucket":
        """Twice as slow, and less predictable, so that two stacks do not go on colliding."""
        slowdown = min(MOST_SLOWDOWN, 2 * self.slowdown)
        share = Random(now.timestamp()).uniform(0.5, 1)  # noqa: S311 - jitter, and the same for the same world
        return Bucket(now + share * timedelta(seconds=INTERVALS[call] * slowdown), slowdown)

    def after_success(self) -> "Bucket":
        return evolve(self, slowdown=max(1, self.slowdown - 1))


#: All buckets. It is handed on with the lease: only the holder calls SageMaker.
RateLimits = Mapping[ApiCall, Bucket]
