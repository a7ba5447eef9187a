"""Determines the instances of a request, the time at which they are available, and the longest wait for them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any

#: Returns the seconds before the instances of a request are available; None: only `StateMachine.provision` gives them.
Startup = Callable[[dict[str, Any]], float | None]


def demand(request: dict[str, Any]) -> Counter[str]:
    """Counts the instances of each type. Until one of several preferences is selected, the first preference counts."""
    counts: Counter[str] = Counter()
    for group in instance_groups(request):
        counts[group["InstanceType"]] += group["InstanceCount"]
    return counts


def is_reserved(request: dict[str, Any]) -> bool:
    """Returns whether the request uses a training plan: no quota limits its capacity, and it never runs short."""
    return "TrainingPlanArn" in request.get("ResourceConfig", {})


def instance_groups(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the instance groups. A homogeneous cluster is one group without a name; a serverless job has none."""
    resources = request.get("ResourceConfig", {})
    if resources.get("InstanceGroups"):
        yield from resources["InstanceGroups"]
    elif resources.get("InstancePreferences"):
        yield preferences(request)[0]
    elif "InstanceType" in resources:
        yield resources


def preferences(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the preferred types and counts in order. A request may have one count for all types."""
    resources = request.get("ResourceConfig", {})
    shared = {"InstanceCount": resources.get("InstanceCount")}
    return [{**shared, **preference} for preference in resources.get("InstancePreferences", ())]


@dataclass(frozen=True, slots=True)
class CapacityPool:
    """Instances of one type: spot, on demand or both (None); in one subnet or in all (None)."""

    instance_type: str
    spot: bool | None = None
    subnet: str | None = None

    def covers(self, other: "CapacityPool") -> bool:
        return (
            self.instance_type == other.instance_type
            and self.spot in (None, other.spot)
            and self.subnet in (None, other.subnet)
        )


@dataclass(frozen=True, slots=True)
class Shortage:
    """A capacity pool is empty until `back_at`; if that is infinity, until another shortage replaces this one."""

    back_at: float
    fails_after_seconds: float = inf  # a job that waits this long fails


@dataclass(frozen=True, slots=True)
class Capacity:
    startup: Startup
    _shortages: dict[CapacityPool, Shortage] = field(default_factory=dict)

    def set_shortage(self, pool: CapacityPool, shortage: Shortage) -> None:
        """Replaces the shortages of this pool and of every pool that it covers."""
        for known in [known for known in self._shortages if pool.covers(known)]:
            del self._shortages[known]
        self._shortages[pool] = shortage

    def affects(self, pool: CapacityPool, request: dict[str, Any]) -> bool:
        """Returns whether the request can use instances of the pool."""
        return any(pool.covers(wanted) for cluster in _alternatives(request) for wanted in cluster)

    def is_short(self, request: dict[str, Any], now: float) -> bool:
        return self._available_at(request, now) > now

    def ready_at(self, request: dict[str, Any], now: float) -> float | None:
        """Returns the time at which the instances are available; None while it is unknown."""
        seconds = self.startup(request)
        available_at = self._available_at(request, now)
        return None if seconds is None or available_at == inf else available_at + seconds

    def fails_after_seconds(self, request: dict[str, Any]) -> float:
        """Returns the longest wait of a job. SageMaker keeps trying while any alternative may still get instances."""
        limits = (
            min((shortage.fails_after_seconds for shortage in self._shortages_of(cluster)), default=inf)
            for cluster in _alternatives(request)
        )
        return max(limits, default=inf)

    def selected(self, request: dict[str, Any], now: float) -> dict[str, Any] | None:
        """Selects the first preference with capacity; if none has capacity, the first preference."""
        wanted = preferences(request)
        available = (
            preference for preference in wanted if not self.is_short(_with_resources(request, preference), now)
        )
        return next(available, next(iter(wanted), None))

    def _available_at(self, request: dict[str, Any], now: float) -> float:
        times = (
            max([now, *(shortage.back_at for shortage in self._shortages_of(cluster))])
            for cluster in _alternatives(request)
        )
        return min(times, default=now)

    def _shortages_of(self, cluster: Iterable[CapacityPool]) -> list[Shortage]:
        return [shortage for wanted in cluster for pool, shortage in self._shortages.items() if pool.covers(wanted)]


def _alternatives(request: dict[str, Any]) -> list[list[CapacityPool]]:
    """Lists the sets of pools that can each serve the request: one per subnet and preference, none on a plan."""
    if is_reserved(request):
        return []
    clusters = [[preference] for preference in preferences(request)] or [[*instance_groups(request)]]
    is_spot = bool(request.get("EnableManagedSpotTraining"))
    subnets = request.get("VpcConfig", {}).get("Subnets") or [""]
    return [
        [CapacityPool(group["InstanceType"], is_spot, subnet) for group in cluster]
        for cluster in clusters
        for subnet in subnets
    ]


def _with_resources(request: dict[str, Any], resources: dict[str, Any]) -> dict[str, Any]:
    return {**request, "ResourceConfig": resources}
