"""Stores the configuration's versions in memory."""

from dataclasses import dataclass, field

from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.errors.internal import StaleConfig


@dataclass
class MemoryConfigStore:
    """Implements the port `ConfigStore`."""

    versions: dict[int, ConfigVersion] = field(default_factory=dict)

    def latest(self, limit: int = 1, before: int | None = None) -> list[ConfigVersion]:
        numbers = sorted((number for number in self.versions if before is None or number < before), reverse=True)
        return [self.versions[number] for number in numbers[:limit]]

    def get(self, version: int) -> ConfigVersion | None:
        return self.versions.get(version)

    def add(self, version: ConfigVersion, *, by: str) -> None:  # noqa: ARG002 - it wakes no function
        if version.version in self.versions:
            raise StaleConfig(f"version {version.version}")
        self.versions[version.version] = version
