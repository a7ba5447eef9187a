"""Which instance types the region offers, and how many of each an account may use at once."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.demand import demand
from local_sagemaker.errors import limit_exceeded, not_offered
from local_sagemaker.job import PoolStatus, TrainingJob


@dataclass(slots=True)
class Quotas:
    """Types that are not named are not limited. A limit of None means: the region does not offer the type."""

    on_demand: Mapping[str, int | None] = field(default_factory=dict)
    spot: Mapping[str, int | None] = field(default_factory=dict)

    def admit(self, request: dict[str, Any], jobs: Iterable[TrainingJob]) -> None:
        is_spot = bool(request.get("EnableManagedSpotTraining"))
        limits = self.spot if is_spot else self.on_demand
        used = held(job for job in jobs if job.is_spot == is_spot)
        for instance_type, asked in demand(request).items():
            if instance_type in limits:
                _admit(instance_type, limits[instance_type], used[instance_type], asked, is_spot=is_spot)


def held(jobs: Iterable[TrainingJob]) -> Counter[str]:
    """The instances that count against the quotas: of jobs that have not ended and of warm pools that wait."""
    counts: Counter[str] = Counter()
    for job in jobs:
        if not job.is_terminal or (job.warm_pool and job.warm_pool.status is PoolStatus.AVAILABLE):
            counts.update(demand(job.request))
    return counts


def _admit(instance_type: str, limit: int | None, used: int, asked: int, *, is_spot: bool) -> None:
    if limit is None:
        raise not_offered(instance_type)
    if used + asked > limit:
        raise limit_exceeded(f"{instance_type} for {'spot ' if is_spot else ''}training job usage", limit, used, asked)
