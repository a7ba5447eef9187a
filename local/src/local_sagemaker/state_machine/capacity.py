"""When the instances of a request can be had, and how long SageMaker looks for them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from local_sagemaker.state_machine.behaviour import Startup
from local_sagemaker.state_machine.demand import groups, is_reserved, preferences


@dataclass(frozen=True, slots=True)
class Place:
    """Instances of a type, spot or on demand or either, in one subnet or anywhere."""

    instance_type: str
    spot: bool | None = None
    subnet: str | None = None

    def covers(self, other: "Place") -> bool:
        return (
            self.instance_type == other.instance_type
            and self.spot in (None, other.spot)
            and self.subnet in (None, other.subnet)
        )


@dataclass(frozen=True, slots=True)
class Shortage:
    """There is none at a place until `back_at` (infinity: until it is said otherwise)."""

    back_at: float
    patience_seconds: float = inf  # after so long a job that waits fails


@dataclass(frozen=True, slots=True)
class Capacity:
    startup: Startup
    _shortages: dict[Place, Shortage] = field(default_factory=dict)

    def shorten(self, place: Place, shortage: Shortage) -> None:
        """In place of what was said of it before, and of all that it covers."""
        for known in [known for known in self._shortages if place.covers(known)]:
            del self._shortages[known]
        self._shortages[place] = shortage

    def concerns(self, place: Place, request: dict[str, Any]) -> bool:
        """Whether the request asks for any such instances."""
        return any(place.covers(one) for way in _ways(request) for one in way)

    def lacks(self, request: dict[str, Any], now: float) -> bool:
        return self._available_at(request, now) > now

    def ready_at(self, request: dict[str, Any], now: float) -> float | None:
        """None while nobody knows."""
        seconds = self.startup(request)
        available_at = self._available_at(request, now)
        return None if seconds is None or available_at == inf else available_at + seconds

    def patience_seconds(self, request: dict[str, Any]) -> float:
        """As long as there is another place to look in, SageMaker goes on."""
        ways = (min((known.patience_seconds for known in self._of(way)), default=inf) for way in _ways(request))
        return max(ways, default=inf)

    def selected(self, request: dict[str, Any], now: float) -> dict[str, Any] | None:
        """The first of its preferences that there is; if none is, and it comes up all the same, the first."""
        wanted = preferences(request)
        there = (one for one in wanted if not self.lacks(_preferring(request, one), now))
        return next(there, next(iter(wanted), None))

    def _available_at(self, request: dict[str, Any], now: float) -> float:
        ways = (max([now, *(known.back_at for known in self._of(way))]) for way in _ways(request))
        return min(ways, default=now)

    def _of(self, way: Iterable[Place]) -> list[Shortage]:
        return [shortage for one in way for known, shortage in self._shortages.items() if known.covers(one)]


def _ways(request: dict[str, Any]) -> list[list[Place]]:
    """Each a set of places that would do together: in one subnet, and of one of its preferences; none on a plan."""
    if is_reserved(request):
        return []
    clusters = [[preference] for preference in preferences(request)] or [[*groups(request)]]
    is_spot = bool(request.get("EnableManagedSpotTraining"))
    subnets = request.get("VpcConfig", {}).get("Subnets") or [""]
    return [[Place(one["InstanceType"], is_spot, subnet) for one in each] for each in clusters for subnet in subnets]


def _preferring(request: dict[str, Any], preference: dict[str, Any]) -> dict[str, Any]:
    return {**request, "ResourceConfig": preference}
