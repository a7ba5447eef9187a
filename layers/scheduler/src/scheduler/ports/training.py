"""SageMaker's jobs of each kind, and training jobs' logs, as a cycle uses them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from scheduler.core.idle_gpus.hangs.hang_check import LastLine
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.demand import Demand
from scheduler.core.reconciliation.listed_job import ListPage
from scheduler.core.reconciliation.rate_limit import RateLimits
from scheduler.core.warm_pools.warm_pool import PoolObservation

#: A Create request body of any kind, exactly as the user sent it.
TrainingRequest = Mapping[str, object]


class JobService(Protocol):
    """Calls SageMaker about jobs of one kind, whether or not the queue started them. Each call may raise Throttled."""

    def describe_any(self, name: str) -> dict[str, Any]:
        """Returns SageMaker's full description of any job of this kind, with its Tags. Raises AttemptUnknown."""

    def stop(self, name: str, /) -> None:
        """Stops the job. Raises AlreadyEnded or AttemptUnknown."""


class WorkService(JobService, Protocol):
    """Calls SageMaker about attempts of one kind of work."""

    def create(self, request: TrainingRequest) -> None:
        """Creates the attempt. Raises OutcomeUnknown, LimitExceeded, AttemptExists or Refused."""

    def describe(self, attempt_name: str) -> Observation:
        """Reports an end only when no trial of the attempt holds instances. Raises AttemptUnknown."""


class ListedWorkService(WorkService, Protocol):
    """Also lists jobs of the kind, whether or not the queue started them."""

    def list_newest(self, created_before: datetime | None, token: str | None) -> ListPage:
        """Returns jobs with any name and state, newest first. Raises Refused.

        The list may lag, and a page may be empty. `token` comes from the previous page, read with the same
        `created_before`. SageMaker may refuse an old token.
        """

    def held_by(self, name: str) -> Demand:
        """Returns the instances that a job holds now, running or as a warm pool; none for an unknown job."""


class TrainingService(ListedWorkService, Protocol):
    """Calls SageMaker about training jobs."""

    def release_pool(self, attempt_name: str) -> None:
        """Ends the warm pool that the attempt left. Raises AttemptUnknown, or Refused if the pool is already gone."""

    def pool(self, attempt_name: str) -> PoolObservation:
        """Returns the state of the warm pool that the attempt left. An unknown attempt's pool counts as gone."""


class RateLimitedTrainingService(TrainingService, Protocol):
    """Stays below SageMaker's request rates. `rate_limits` records how much of each rate is used."""

    rate_limits: RateLimits


class TrainingLogs(Protocol):
    """Reads the logs of training jobs."""

    def last_lines(self, attempt_name: str, since: datetime | None = None) -> Sequence[Sequence[str]]:
        """Returns the last lines from some hosts, by host: only lines since the given time, or lines from any time.

        Never raises: a log that cannot be read counts as empty.
        """

    def last_line(self, attempt_name: str, since: datetime, now: datetime) -> LastLine | None:
        """Returns the last line that any host has written since the given time; None if there is none.

        Never raises: it returns None if it could not read the log of every host, and the next call continues.
        """
