"""Stores the operator settings: the versions of the configuration, and the controls."""

from typing import Protocol

from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.core.sections.controls import Controls


class ControlStore(Protocol):
    def read(self) -> Controls:
        """Returns the current controls, or the defaults if no operator has set any. Reads consistently."""

    def before(self, version: int, limit: int) -> list[Controls]:
        """Returns the controls before a version, latest first. Leaves out unreadable versions."""

    def write(self, controls: Controls, *, by: str) -> Controls:
        """Saves the controls under a new version, if the stored version is the version that they replace.

        Raises StaleControls. `by` is as in `JobStore.save`.
        """


class ConfigStore(Protocol):
    """Stores the versions of the configuration, numbered from 1. A version never changes."""

    def latest(self, limit: int = 1, before: int | None = None) -> list[ConfigVersion]:
        """Returns up to `limit` versions, latest first. With `before`, returns only lower-numbered versions.

        Returns fewer if versions are large, but at least one if any exists. Reads consistently.
        """

    def get(self, version: int) -> ConfigVersion | None:
        """Returns the version with this number, or None if there is none. Reads consistently."""

    def add(self, version: ConfigVersion, *, by: str) -> None:
        """Adds a version. Raises StaleConfig if its number is taken. `by` is as in `JobStore.save`."""
