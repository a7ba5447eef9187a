"""A file is applied once, and over no other, whatever happens at the same moment or interrupts it."""

import json

import pytest

from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.errors.config_errors import StaleVersion
from support.memory.config_store import MemoryConfigStore
from unit.scheduler.configuration.editing import FILE, apply


class OvertakenStore(MemoryConfigStore):
    """The other call gets there first, between this one's look and its write."""

    def __init__(self, other: ConfigVersion) -> None:
        super().__init__()
        self._other = other

    def add(self, version: ConfigVersion, *, by: str) -> None:
        super().add(self._other, by=by)
        super().add(version, by=by)


class Killed(BaseException):
    """The process ends here."""


class KillingStore(MemoryConfigStore):
    """The process is killed right before its write, or right after it."""

    def __init__(self, store: MemoryConfigStore, *, after_the_write: bool) -> None:
        super().__init__(store.versions)
        self._after_the_write = after_the_write

    def add(self, version: ConfigVersion, *, by: str) -> None:
        if self._after_the_write:
            super().add(version, by=by)
        raise Killed


@pytest.mark.parametrize("after_the_write", [False, True])
def test_a_crash_at_the_write_leaves_all_of_a_change_or_nothing_of_it(after_the_write: bool) -> None:
    text = "policy: {patience: 1m}\nidle_gpus: {action: off}\nnotices: {owners: []}"
    store = MemoryConfigStore()
    before = apply(store, FILE)
    with pytest.raises(Killed):
        apply(KillingStore(store, after_the_write=after_the_write), text, replaces=1)
    if after_the_write:
        assert {*json.loads(store.versions[2].sections)} == {"policy", "pools", "idle_gpus", "notices"}
        assert store.versions[2].changed == ("policy", "idle_gpus", "notices")
    else:
        assert store.versions == {1: before}
    assert apply(store, text, replaces=1) == store.versions[2]
    assert [*store.versions] == [1, 2]


@pytest.mark.parametrize("replaces", [0, None])
def test_the_same_file_sent_twice_at_once_is_applied_once(replaces: int | None) -> None:
    store = OvertakenStore(apply(MemoryConfigStore(), FILE))
    assert apply(store, FILE, replaces=replaces) == store.versions[1]
    assert len(store.versions) == 1


@pytest.mark.parametrize("replaces", [0, None])
@pytest.mark.parametrize("author", ["ada", "bob"])
def test_another_file_at_the_same_moment_is_not_overwritten(replaces: int | None, author: str) -> None:
    theirs = apply(MemoryConfigStore(), "policy: {patience: 1m}", author)
    store = OvertakenStore(theirs)
    with pytest.raises(StaleVersion, match="The current version of the configuration is 1, not 0"):
        apply(store, FILE, replaces=replaces)
    assert store.versions == {1: theirs}


def test_the_same_file_of_another_operator_at_the_same_moment_is_theirs() -> None:
    theirs = apply(MemoryConfigStore(), FILE, author="bob")
    store = OvertakenStore(theirs)
    with pytest.raises(StaleVersion):
        apply(store, FILE, author="ada")
    assert store.versions[1].author == "bob"
