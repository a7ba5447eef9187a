"""SageMaker, and what its training jobs print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from scheduler.core.jobs.attempt import Observation
    from scheduler.core.jobs.demand import Demand
    from scheduler.core.reconciliation.listed_job import ListPage
    from scheduler.core.reconciliation.rate_limit import RateLimits
    from scheduler.core.warm_pools.pool_observation import PoolObservation

#: A CreateTrainingJob request body, exactly as the user sent it.
TrainingRequest = Mapping[str, object]


class TrainingService(Protocol):
    """SageMaker, for attempts. Each call may raise Throttled."""

    def create(self, request: TrainingRequest) -> None:
        """Raises OutcomeUnknown, LimitExceeded, AttemptExists or Refused."""

    def describe(self, attempt_name: str) -> Observation:
        """Raises AttemptUnknown."""

    def describe_any(self, name: str) -> dict[str, Any]:
        """All that SageMaker says of any training job, with its Tags as in a request. Raises AttemptUnknown."""

    def is_ours(self, request: TrainingRequest) -> bool:
        """Whether the training job that has this request's name carries every tag of the request."""

    def stop(self, attempt_name: str) -> None:
        """Raises AlreadyEnded or AttemptUnknown."""

    def release_pool(self, attempt_name: str) -> None:
        """End the warm pool that the attempt left. Raises Refused where it is gone already, or AttemptUnknown."""

    def tags(self, attempt_name: str) -> Mapping[str, str]:
        """Raises AttemptUnknown."""

    def list_created_after(self, moment: datetime, name_part: str, token: str | None) -> ListPage:
        """Training jobs of any state whose names contain the part, oldest first. May lag. Raises Refused."""

    def pool(self, attempt_name: str) -> PoolObservation:
        """What became of the warm pool that the attempt left; gone, if it is not known."""

    def held_by(self, name: str) -> Demand:
        """The instances that any training job holds now, running or as a warm pool; nothing if it is not known."""


class RateLimitedTrainingService(TrainingService, Protocol):
    """Keeps to SageMaker's rates; `pace` is what it has used of them."""

    rate_limits: RateLimits


class TrainingLogs(Protocol):
    """What training jobs print."""

    def last_lines(self, attempt_name: str) -> Sequence[str]:
        """The last lines of its hosts, not all of them.

        Never raises: a log that cannot be read is empty, and logged, for nothing may hold the queue up.
        """
