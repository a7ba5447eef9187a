"""Reads the current configuration: the latest readable version."""

import logging
from dataclasses import dataclass, replace
from functools import cache

from scheduler.core.configuration import kinds
from scheduler.core.configuration.configuration import NOTHING_APPLIED, Configuration, ConfigVersion
from scheduler.core.configuration.kinds import Stack
from scheduler.core.sections.schema import BadSection
from scheduler.core.spending.prices.price import PriceList
from scheduler.ports.config_store import ConfigStore

logger = logging.getLogger(__name__)

#: The number of versions to try if the latest is unreadable.
_MOST_TRIED = 20


@dataclass(frozen=True, slots=True)
class ConfigurationReader:
    store: ConfigStore
    stack: Stack

    def current(self) -> Configuration:
        """Returns the current configuration; if no version can be read, the defaults, marked as unreadable."""
        return self.in_force()[1]

    def in_force(self, before: int | None = None) -> tuple[ConfigVersion, Configuration]:
        """Returns the current version and its configuration, or those that were current before the version `before`.

        If no version can be read, returns the latest version with the defaults, marked as unreadable.
        """
        newest = self.store.latest(1, before)
        if not newest:
            return NOTHING_APPLIED, kinds.read(NOTHING_APPLIED.sections)
        if (configuration := _configuration_of(newest[0])) is not None:
            return newest[0], configuration
        logger.error("unreadable configuration", extra={"version": newest[0].version})
        # The latest version is read again with older ones: if it was repaired in between, it is the current one.
        versions = self.store.latest(_MOST_TRIED, before)
        for version in versions:
            if (configuration := _configuration_of(version)) is not None:
                return version, configuration
        return versions[0], replace(kinds.read(NOTHING_APPLIED.sections), is_readable=False)

    def prices(self, configuration: Configuration | None = None) -> PriceList:
        """Returns the known prices, with those of the current configuration unless another is given."""
        return (configuration or self.current()).prices.over(self.stack.prices)

    def read_once(self) -> "ConfigurationReader":
        """Returns a reader that reads the configuration only once, for use during one call."""
        return replace(self, store=_ReadOnce(self.store))


def _configuration_of(version: ConfigVersion) -> Configuration | None:
    """Returns a version's configuration, or None if it cannot be read."""
    try:
        return kinds.read(version.sections)
    except BadSection as error:
        logger.warning("unreadable version", extra={"version": version.version, "cause": str(error)})
        return None


class _ReadOnce:
    """A ConfigStore that reads each version only once."""

    def __init__(self, store: ConfigStore) -> None:
        self.latest, self.get, self.add = cache(store.latest), cache(store.get), store.add
