"""SageMaker's training jobs and their logs, as the cycle needs them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.demand import Demand
from scheduler.core.reconciliation.listed_job import ListPage
from scheduler.core.reconciliation.rate_limit import RateLimits
from scheduler.core.warm_pools.warm_pool import PoolObservation

#: A CreateTrainingJob request body, exactly as the user sent it.
TrainingRequest = Mapping[str, object]


class TrainingService(Protocol):
    """SageMaker, for attempts. Each call may raise Throttled."""

    def create(self, request: TrainingRequest) -> None:
        """Raises OutcomeUnknown, LimitExceeded, AttemptExists or Refused."""

    def describe(self, attempt_name: str) -> Observation:
        """Raises AttemptUnknown."""

    def describe_any(self, name: str) -> dict[str, Any]:
        """Returns SageMaker's full description of any training job, with its Tags. Raises AttemptUnknown."""

    def stop(self, attempt_name: str) -> None:
        """Raises AlreadyEnded or AttemptUnknown."""

    def release_pool(self, attempt_name: str) -> None:
        """Ends the warm pool that the attempt left. Raises Refused if it is gone already, or AttemptUnknown."""

    def list_created_after(self, moment: datetime, name_part: str, token: str | None) -> ListPage:
        """Returns training jobs of any state whose names contain the part, oldest first. May lag. Raises Refused."""

    def pool(self, attempt_name: str) -> PoolObservation:
        """Returns the state of the warm pool that the attempt left; an unknown attempt counts as gone."""

    def held_by(self, name: str) -> Demand:
        """Returns the instances that any training job holds now, running or as a warm pool; none if it is unknown."""


class RateLimitedTrainingService(TrainingService, Protocol):
    """Keeps below SageMaker's rates; `rate_limits` is how far they are used."""

    rate_limits: RateLimits


class TrainingLogs(Protocol):
    """The logs of training jobs."""

    def last_lines(self, attempt_name: str) -> Sequence[str]:
        """Returns the last lines of some hosts. Never raises: a log that cannot be read is reported as empty."""
