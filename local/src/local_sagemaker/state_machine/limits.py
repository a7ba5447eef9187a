"""Defines an account's limits: the instances that it may use at once, and the requests per second that it may send."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.errors import limit_exceeded, not_offered, throttled
from local_sagemaker.state_machine.capacity import demand, is_reserved
from local_sagemaker.state_machine.job import TrainingJob

# Requests per second, per account and region. All clients of the account share these rates. AWS does not adjust them.
RATES = {
    "CreateTrainingJob": 1.0,
    "StopTrainingJob": 1.0,
    "UpdateTrainingJob": 1.0,
    "DeleteTrainingJob": 1.0,
    "DescribeTrainingJob": 5.0,
    "ListTrainingJobs": 2.0,
    # AWS does not publish the rates for tuning jobs. These are as low as those above.
    "CreateHyperParameterTuningJob": 1.0,
    "StopHyperParameterTuningJob": 1.0,
    "DeleteHyperParameterTuningJob": 1.0,
    "DescribeHyperParameterTuningJob": 5.0,
    "ListHyperParameterTuningJobs": 2.0,
    "ListTrainingJobsForHyperParameterTuningJob": 2.0,
    # Same for processing jobs.
    "CreateProcessingJob": 1.0,
    "StopProcessingJob": 1.0,
    "DeleteProcessingJob": 1.0,
    "DescribeProcessingJob": 5.0,
    "ListProcessingJobs": 2.0,
}


@dataclass(frozen=True, slots=True)
class Quotas:
    """Instance quotas by type. An absent type is not limited; a limit of None means the region does not offer it."""

    on_demand: Mapping[str, int | None] = field(default_factory=dict)
    spot: Mapping[str, int | None] = field(default_factory=dict)
    warm_pool: Mapping[str, int] = field(default_factory=dict)
    total: int | None = None  # over all types of training instances; None: no limit
    processing: Mapping[str, int | None] = field(default_factory=dict)

    def admit(self, request: dict[str, Any], jobs: Iterable[TrainingJob]) -> None:
        """Refuses a request that exceeds a quota. `jobs` count against the quota, except those on reserved capacity."""
        if is_reserved(request):
            return
        counted = [job for job in jobs if not is_reserved(job.request)]
        is_spot = bool(request.get("EnableManagedSpotTraining"))
        limits = self.spot if is_spot else self.on_demand
        used = _instances(job for job in counted if job.is_spot == is_spot)
        _admit(demand(request), limits, used, f"{'spot ' if is_spot else ''}training job")
        self._admit_to_total(demand(request).total(), _instances(counted).total())

    def admit_processing(self, request: dict[str, Any], used: Counter[str]) -> None:
        """Refuses a processing job that exceeds its quota. Training jobs do not count against it."""
        _admit(demand(request), self.processing, used, "processing job")

    def allows_pool(self, job: TrainingJob, jobs: Iterable[TrainingJob]) -> bool:
        """Returns whether the warm-pool quota covers the job's instances. If not, SageMaker silently keeps no pool."""
        used = _instances(other for other in jobs if other.has_waiting_pool)
        return all(
            used[instance_type] + count <= self.warm_pool.get(instance_type, used[instance_type] + count)
            for instance_type, count in demand(job.resolved_request).items()
        )

    def _admit_to_total(self, requested: int, used: int) -> None:
        if self.total is not None and used + requested > self.total:
            raise limit_exceeded("Number of instances across training jobs", self.total, used, requested)


class RequestRates:
    """A token bucket per operation. Each bucket holds the tokens of one second."""

    def __init__(self, factor: float) -> None:
        self._rates = {operation: rate * factor for operation, rate in RATES.items()}
        self._tokens = {operation: max(rate, 1.0) for operation, rate in self._rates.items()}
        self._filled_at = dict.fromkeys(self._rates, 0.0)

    def admit(self, operation: str, now: float) -> None:
        if operation not in self._rates:
            return
        rate = self._rates[operation]
        tokens = min(max(rate, 1.0), self._tokens[operation] + (now - self._filled_at[operation]) * rate)
        self._filled_at[operation] = now
        self._tokens[operation] = tokens
        if tokens < 1:
            raise throttled()
        self._tokens[operation] = tokens - 1


def held_instances(jobs: Iterable[TrainingJob]) -> Counter[str]:
    """Counts the instances in use and in warm pools."""
    return _instances(job for job in jobs if job.holds_instances)


def _instances(jobs: Iterable[TrainingJob]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for job in jobs:
        counts.update(demand(job.resolved_request))
    return counts


def _admit(requested: Counter[str], limits: Mapping[str, int | None], used: Counter[str], usage: str) -> None:
    for instance_type, count in requested.items():
        if instance_type not in limits:
            continue
        limit = limits[instance_type]
        if limit is None:
            raise not_offered(instance_type, usage)
        if used[instance_type] + count > limit:
            raise limit_exceeded(f"{instance_type} for {usage} usage", limit, used[instance_type], count)
