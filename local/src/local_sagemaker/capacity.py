"""When the instances of a request can be had."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

from local_sagemaker.behaviour import Startup
from local_sagemaker.demand import demand


@dataclass(frozen=True, slots=True)
class Capacity:
    startup: Startup
    _back_at: dict[str, float] = field(default_factory=dict)

    def shorten(self, instance_type: str, back_at: float) -> None:
        """AWS has none of these until then; infinity: until it is said otherwise."""
        self._back_at[instance_type] = back_at

    def lacks(self, request: dict[str, Any], now: float) -> bool:
        return self._available_at(request, now) > now

    def ready_at(self, request: dict[str, Any], now: float) -> float | None:
        """None while nobody knows."""
        seconds = self.startup(request)
        available_at = self._available_at(request, now)
        return None if seconds is None or available_at == inf else available_at + seconds

    def _available_at(self, request: dict[str, Any], now: float) -> float:
        return max([now, *(self._back_at.get(instance_type, now) for instance_type in demand(request))])
