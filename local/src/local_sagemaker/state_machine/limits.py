"""Which instance types the region offers, and how many of each an account may use at once."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.errors import limit_exceeded, not_offered
from local_sagemaker.state_machine.demand import demand, is_reserved
from local_sagemaker.state_machine.job import TrainingJob


@dataclass(frozen=True, slots=True)
class Quotas:
    """Types that are not named are not limited. A limit of None means: the region does not offer the type."""

    on_demand: Mapping[str, int | None] = field(default_factory=dict)
    spot: Mapping[str, int | None] = field(default_factory=dict)
    warm_pool: Mapping[str, int] = field(default_factory=dict)
    total: int | None = None  # over all types; None: no limit

    def admit(self, request: dict[str, Any], jobs: Iterable[TrainingJob]) -> None:
        """`jobs` are those that count, those on reserved capacity aside."""
        if is_reserved(request):
            return
        counted = [job for job in jobs if not is_reserved(job.request)]
        is_spot = bool(request.get("EnableManagedSpotTraining"))
        limits = self.spot if is_spot else self.on_demand
        used = _demands(job for job in counted if job.is_spot == is_spot)
        for instance_type, asked in demand(request).items():
            if instance_type in limits:
                _admit(instance_type, limits[instance_type], used[instance_type], asked, is_spot=is_spot)
        self._admit_to_total(demand(request).total(), _demands(counted).total())

    def keeps(self, job: TrainingJob, jobs: Iterable[TrainingJob]) -> bool:
        """There is a warm-pool quota for the job's instances. Without one there is silently no pool."""
        used = _demands(other for other in jobs if other.has_waiting_pool)
        return all(
            used[instance_type] + asked <= self.warm_pool.get(instance_type, used[instance_type] + asked)
            for instance_type, asked in demand(job.placed).items()
        )

    def _admit_to_total(self, asked: int, used: int) -> None:
        if self.total is not None and used + asked > self.total:
            raise limit_exceeded("Number of instances across training jobs", self.total, used, asked)


def held(jobs: Iterable[TrainingJob]) -> Counter[str]:
    """The instances that are in use or waiting in warm pools."""
    return _demands(job for job in jobs if job.holds_instances)


def _demands(jobs: Iterable[TrainingJob]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for job in jobs:
        counts.update(demand(job.placed))
    return counts


def _admit(instance_type: str, limit: int | None, used: int, asked: int, *, is_spot: bool) -> None:
    if limit is None:
        raise not_offered(instance_type)
    if used + asked > limit:
        raise limit_exceeded(f"{instance_type} for {'spot ' if is_spot else ''}training job usage", limit, used, asked)
