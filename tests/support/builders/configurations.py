"""Builds configurations, their versions, and readers for them. Sections are plain data, as operators write them."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from scheduler.core.configuration import kinds
from scheduler.core.configuration.configuration import NOTHING_APPLIED, Configuration, ConfigVersion
from scheduler.core.configuration.kinds import Stack
from scheduler.core.jobs.budget import Budget
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.config_store import ConfigStore
from support.memory.config_store import MemoryConfigStore

_EARLY = datetime.fromtimestamp(0, UTC)
#: A first version that is not JSON, like one that a store cannot read.
UNREADABLE = ConfigVersion(version=1, sections="")


def a_configuration(**sections: Any) -> Configuration:
    """Returns the configuration with these sections, and the defaults for the other sections."""
    return kinds.parse(sections)


def every_section(**sections: Any) -> dict[str, Any]:
    """Returns these sections and the defaults of all other sections, as a file that keeps no current section."""
    return {kind: schema.full_default for kind, schema in kinds.SCHEMAS.items()} | sections


def a_version(number: int = 1, **sections: Any) -> ConfigVersion:
    """Returns a version that contains only these sections, all of them changed."""
    return ConfigVersion(
        version=number, sections=json.dumps(sections), changed=(*sections,), author="ops", applied_at=_EARLY
    )


def configure(store: ConfigStore, **sections: Any) -> ConfigVersion:
    """Applies these sections as a new version, which keeps the other sections of the latest version.

    Checks their structure.
    """
    a_configuration(**sections)
    newest = next(iter(store.latest()), NOTHING_APPLIED)
    version = a_version(newest.version + 1, **{**json.loads(newest.sections), **sections})
    version = replace(version, changed=(*sections,))
    store.add(version, by="api")
    return version


def a_stack(budget: str = "ml.m5.large=2") -> Stack:
    return Stack(Budget.parse(budget), SNAPSHOT)


def a_reader(store: ConfigStore | None = None, stack: Stack | None = None, **sections: Any) -> ConfigurationReader:
    """Returns a reader of the store, or of a new store that has these sections."""
    store = MemoryConfigStore() if store is None else store
    if sections:
        configure(store, **sections)
    return ConfigurationReader(store, stack or a_stack())
