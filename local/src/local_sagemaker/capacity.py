"""When the instances of a request can be had, and how long SageMaker looks for them."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

from local_sagemaker.behaviour import Startup
from local_sagemaker.demand import demand


@dataclass(frozen=True, slots=True)
class Shortage:
    """There is none of a type until `back_at` (infinity: until it is said otherwise)."""

    back_at: float
    patience_seconds: float = inf  # after so long a job that waits fails


@dataclass(frozen=True, slots=True)
class Capacity:
    startup: Startup
    _shortages: dict[str, Shortage] = field(default_factory=dict)

    def shorten(self, instance_type: str, shortage: Shortage) -> None:
        """In place of what was said of this type before."""
        self._shortages[instance_type] = shortage

    def lacks(self, request: dict[str, Any], now: float) -> bool:
        return self._available_at(request, now) > now

    def ready_at(self, request: dict[str, Any], now: float) -> float | None:
        """None while nobody knows."""
        seconds = self.startup(request)
        available_at = self._available_at(request, now)
        return None if seconds is None or available_at == inf else available_at + seconds

    def patience_seconds(self, request: dict[str, Any]) -> float:
        return min((shortage.patience_seconds for shortage in self._of(request)), default=inf)

    def _available_at(self, request: dict[str, Any], now: float) -> float:
        return max([now, *(shortage.back_at for shortage in self._of(request))])

    def _of(self, request: dict[str, Any]) -> list[Shortage]:
        return [self._shortages[each] for each in demand(request) if each in self._shortages]
