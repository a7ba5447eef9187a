"""The newest version that can be read is current; if none can, no job starts."""

import logging
from dataclasses import replace

import pytest

from scheduler.core.configuration.configuration import NOTHING_APPLIED, ConfigVersion
from scheduler.core.planner.policy import Policy
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.spending.prices.usage_weights import UsageWeights
from support.builders.configurations import a_reader, a_version
from support.memory.config_store import MemoryConfigStore

PATIENT = {"policy": {"patience": "10m"}}
BROKEN = [
    "",
    "{",
    "null",
    "[]",
    '{"policy": {"patience": 5}}',
    '{"rules": {"rules": 7}}',
    '{"callers": {}}',
    "[" * 100_000,
]


def a_store(*versions: ConfigVersion) -> MemoryConfigStore:
    return MemoryConfigStore({version.version: version for version in versions})


def unreadable(number: int, sections: str = "{") -> ConfigVersion:
    return ConfigVersion(version=number, sections=sections)


def test_nothing_is_applied_at_first_and_the_defaults_hold() -> None:
    version, configuration = a_reader().in_force()
    assert version == NOTHING_APPLIED
    assert (configuration.policy, configuration.is_readable) == (Policy(weights=UsageWeights(prices=SNAPSHOT)), True)


def test_the_newest_version_is_in_force() -> None:
    version, configuration = a_reader(a_store(a_version(1), a_version(2, **PATIENT))).in_force()
    assert (version.version, configuration.policy.patience) == (2, 600)


@pytest.mark.parametrize("sections", BROKEN)
def test_if_the_newest_cannot_be_read_the_one_before_stays_in_force_and_the_log_says_so(
    sections: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "scheduler"):
        version, configuration = a_reader(a_store(a_version(1, **PATIENT), unreadable(2, sections))).in_force()
    assert (version.version, configuration.policy.patience, configuration.is_readable) == (1, 600, True)
    assert [(record.message, vars(record)["version"]) for record in caplog.records] == [("unreadable configuration", 2)]


def test_a_readable_version_before_many_unreadable_ones_is_found() -> None:
    store = a_store(a_version(1, **PATIENT), *(unreadable(number) for number in range(2, 20)))
    assert a_reader(store).in_force()[0].version == 1


@pytest.mark.parametrize("sections", BROKEN)
def test_if_no_version_can_be_read_the_configuration_says_so(sections: str) -> None:
    version, configuration = a_reader(a_store(unreadable(1, sections), unreadable(2, sections))).in_force()
    assert (version.version, configuration.is_readable) == (2, False)
    assert replace(configuration, is_readable=True) == a_reader().current()


def test_a_version_of_a_later_release_with_another_kind_of_section_is_read_without_it() -> None:
    configuration = a_reader(a_store(ConfigVersion(version=1, sections='{"weather": {}, "policy": {}}'))).current()
    assert configuration.is_readable


def test_a_reader_for_one_call_sees_one_version_throughout() -> None:
    store = a_store(a_version(1, **PATIENT))
    reader = a_reader(store).read_once()
    assert reader.current().policy.patience == 600
    store.add(a_version(2), by="api")
    assert reader.current().policy.patience == 600
    assert a_reader(store).current().policy.patience == 300
