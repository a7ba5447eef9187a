"""Keeps calls to SageMaker below its rate limits, even across cycles: the lease stores each rate's use."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Generic, TypeVar

from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.demand import Demand
from scheduler.core.reconciliation.listed_job import ListPage
from scheduler.core.reconciliation.rate_limit import ApiCall, Bucket, RateLimits
from scheduler.core.warm_pools.warm_pool import PoolObservation
from scheduler.errors.internal import Throttled
from scheduler.ports.clock import Clock
from scheduler.ports.training import JobService, ListedWorkService, TrainingService, WorkService

_Answer = TypeVar("_Answer")
_Jobs = TypeVar("_Jobs", bound=JobService)
_Work = TypeVar("_Work", bound=WorkService)
_ListedWork = TypeVar("_ListedWork", bound=ListedWorkService)


class RateLimiter:
    """Waits before a call if the previous calls used up its rate."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.rate_limits: RateLimits = {}

    def in_turn(self, call: ApiCall, send: Callable[[], _Answer]) -> _Answer:
        bucket = self.wait_turn(call)
        try:
            answer = send()
        except Throttled:
            self._keep(call, bucket.after_throttling(call, self._clock.now()))
            raise
        self._keep(call, bucket.after_success())
        return answer

    def wait_turn(self, call: ApiCall) -> Bucket:
        now = self._clock.now()
        bucket = self.rate_limits.get(call, Bucket(now))
        if bucket.free_at > now:
            self._clock.sleep((bucket.free_at - now).total_seconds())
        # The time of the call counts, not the planned end of the sleep: a sleep may last longer than requested.
        bucket = bucket.after_call(call, self._clock.now())
        self._keep(call, bucket)
        return bucket

    def _keep(self, call: ApiCall, bucket: Bucket) -> None:
        self.rate_limits = {**self.rate_limits, call: bucket}


class RateLimitedJobs(Generic[_Jobs]):
    """A JobService that waits for its turn.

    AWS documents no rates for tuning, processing and AutoML jobs. So all kinds share one limiter: a call for one kind
    of job delays the next such call for any kind.
    """

    def __init__(self, inner: _Jobs, limiter: RateLimiter) -> None:
        self._inner = inner
        self._limiter = limiter

    def describe_any(self, name: str) -> dict[str, Any]:
        self._limiter.wait_turn(ApiCall.DESCRIBE)  # ListTags needs the ARN, which Describe returns
        return self._limiter.in_turn(ApiCall.LIST_TAGS, lambda: self._inner.describe_any(name))

    def stop(self, name: str, /) -> None:
        self._limiter.in_turn(ApiCall.STOP, lambda: self._inner.stop(name))


class RateLimitedWork(RateLimitedJobs[_Work]):
    """A WorkService that waits for its turn."""

    def create(self, request: Mapping[str, object]) -> None:
        self._limiter.in_turn(ApiCall.CREATE, lambda: self._inner.create(request))

    def describe(self, attempt_name: str) -> Observation:
        return self._limiter.in_turn(ApiCall.DESCRIBE, lambda: self._inner.describe(attempt_name))


class RateLimitedListedWork(RateLimitedWork[_ListedWork]):
    """A ListedWorkService that waits for its turn."""

    def list_newest(self, created_before: datetime | None, token: str | None) -> ListPage:
        return self._limiter.in_turn(ApiCall.LIST, lambda: self._inner.list_newest(created_before, token))

    def held_by(self, name: str) -> Demand:
        return self._limiter.in_turn(ApiCall.DESCRIBE, lambda: self._inner.held_by(name))


class RateLimitedTraining(RateLimitedListedWork[TrainingService]):
    """A TrainingService that waits for its turn."""

    @property
    def rate_limits(self) -> RateLimits:
        return self._limiter.rate_limits

    @rate_limits.setter
    def rate_limits(self, used: RateLimits) -> None:
        self._limiter.rate_limits = used

    def release_pool(self, attempt_name: str) -> None:
        self._limiter.in_turn(ApiCall.UPDATE, lambda: self._inner.release_pool(attempt_name))

    def pool(self, attempt_name: str) -> PoolObservation:
        return self._limiter.in_turn(ApiCall.DESCRIBE, lambda: self._inner.pool(attempt_name))
