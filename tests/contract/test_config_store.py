"""ConfigStore: every version is kept, none ever changes, and the newest are found first."""

from datetime import timedelta

import pytest

from scheduler.core.configuration.configuration import ConfigVersion, Deployment
from scheduler.errors.internal import StaleConfig
from scheduler.ports.config_store import ConfigStore
from support.builders.jobs import NOON
from support.dynamodb.stores import Stores


@pytest.fixture
def store(stores: Stores) -> ConfigStore:
    return stores.configuration


def a_version(number: int, sections: str = '{"policy":{}}', comment: str = "") -> ConfigVersion:
    return ConfigVersion(
        version=number,
        sections=sections,
        changed=("rules", "policy"),
        author="arn:aws:iam::123456789012:user/ada",
        applied_at=NOON + timedelta(hours=number),
        comment=comment,
        deployed=Deployment(version=number, digest="5f" * 32, digest_before="a0" * 32),
    )


def test_there_is_no_version_at_first(store: ConfigStore) -> None:
    assert store.latest() == store.latest(50) == []
    assert store.get(1) is store.get(0) is None


def test_a_version_is_kept_with_its_exact_text_author_time_and_comment(store: ConfigStore) -> None:
    version = a_version(1, '{"shares":{"Teams ü\\n":{}}}', comment="more patience — see #4")
    store.add(version, by="api")
    assert store.latest() == [version]
    assert store.get(1) == version


def test_a_version_with_nothing_but_sections_is_kept(store: ConfigStore) -> None:
    store.add(ConfigVersion(version=1, sections="{}"), by="api")
    assert store.latest() == [ConfigVersion(version=1, sections="{}")]


def test_the_newest_versions_come_first_in_the_order_of_numbers(store: ConfigStore) -> None:
    for number in range(1, 13):
        store.add(a_version(number), by="api")
    assert store.latest() == [a_version(12)]
    assert [version.version for version in store.latest(50)] == [*range(12, 0, -1)]
    assert [version.version for version in store.latest(3, before=11)] == [10, 9, 8]
    assert [version.version for version in store.latest(50, before=3)] == [2, 1]
    assert store.latest(50, before=1) == []


def test_a_number_is_taken_once_and_its_version_never_changes(store: ConfigStore) -> None:
    store.add(a_version(1), by="api")
    for other in (a_version(1, '{"policy":{"patience":"1m"}}'), a_version(1)):
        with pytest.raises(StaleConfig):
            store.add(other, by="api")
    assert store.latest(50) == [a_version(1)]


def test_a_version_of_300_kb_is_kept_whole(store: ConfigStore) -> None:
    large = a_version(1, '{"rules":"' + "x" * 300 * 1024 + '"}')
    store.add(large, by="api")
    assert store.latest() == [large]


def test_versions_that_are_too_large_for_one_page_are_found_page_by_page(store: ConfigStore) -> None:
    """DynamoDB reads at most 1 MB for one answer."""
    large = [a_version(number, '{"rules":"' + "x" * 300 * 1024 + '"}') for number in range(1, 7)]
    for version in large:
        store.add(version, by="api")
    found: list[ConfigVersion] = []
    while page := store.latest(6, before=found[-1].version if found else None):
        found += page
    assert found == large[::-1]
