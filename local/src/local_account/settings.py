"""The settings of a local account. `up` records them for the next command."""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Preemptions on a developer's machine happen without a wait.
_AT_ONCE = {"PatienceSeconds": "0", "ProtectedRunSeconds": "0"}


@dataclass(frozen=True)
class Settings:
    """The servers take the first four when they start; the rest are parameters of the stack."""

    port: int = 4566
    sagemaker_port: int = 4567
    startup_seconds: float = 3.0
    rate_factor: float = 1.0
    budget: str = "ml.m5.large=2"
    sweep_rate: str = "rate(1 minute)"
    parameters: Mapping[str, str] = field(default_factory=_AT_ONCE.copy)  # all other parameters of the stack

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def sagemaker_endpoint(self) -> str:
        return f"http://127.0.0.1:{self.sagemaker_port}"

    def same_servers(self, other: "Settings") -> bool:
        """Returns whether servers started with one need no restart for the other."""
        return self._for_servers() == other._for_servers()

    def _for_servers(self) -> tuple[float, ...]:
        return (self.port, self.sagemaker_port, self.startup_seconds, self.rate_factor)
