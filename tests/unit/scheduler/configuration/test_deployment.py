"""A deployment decides by the version that is current when it writes, also while others apply versions."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

import pytest

from scheduler.config.deployment import DeployedFile, Deployments
from scheduler.config.editor import ConfigEditor
from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.errors.config_errors import DeploymentRefused, StaleVersion
from support.builders.configurations import a_reader
from support.memory.clock import FixedClock
from support.memory.config_store import MemoryConfigStore

FIRST, SECOND, OPERATORS = "policy: {patience: 1m}", "policy: {patience: 2m}", "policy: {patience: 3m}"


@dataclass
class BusyStore(MemoryConfigStore):
    """Others write just before a version is added."""

    meanwhile: Callable[[], object] = lambda: None

    def add(self, version: ConfigVersion, *, by: str) -> None:
        others, self.meanwhile = self.meanwhile, lambda: None
        others()
        super().add(version, by=by)


def editor(store: MemoryConfigStore) -> ConfigEditor:
    return ConfigEditor(a_reader(store), FixedClock())


def file(text: str) -> DeployedFile:
    return DeployedFile(sha256(text.encode()).hexdigest(), text.encode)


def deploy(store: MemoryConfigStore, text: str) -> ConfigVersion:
    return Deployments(editor(store), "queue").deploy(file(text))


def apply(store: MemoryConfigStore, text: str) -> ConfigVersion:
    edited = editor(store)
    return edited.apply(edited.change(text), "ada")


def test_a_version_that_others_apply_at_the_same_time_is_not_replaced() -> None:
    store = BusyStore()
    deploy(store, FIRST)
    store.meanwhile = lambda: apply(store, OPERATORS)
    with pytest.raises(DeploymentRefused, match=r"^ada applied version 2 of the configuration at 2026-11-21 12:00 UTC"):
        deploy(store, SECOND)
    assert [version.author for version in store.latest(5)] == ["ada", "stack queue"]


def test_the_same_event_twice_at_the_same_time_applies_one_version() -> None:
    store = BusyStore()
    store.meanwhile = lambda: deploy(store, FIRST)
    assert deploy(store, FIRST).version == 1
    assert len(store.versions) == 1


def test_a_way_back_keeps_what_others_apply_at_the_same_time() -> None:
    store = BusyStore()
    deploy(store, FIRST)
    deploy(store, SECOND)
    store.meanwhile = lambda: apply(store, OPERATORS)
    assert deploy(store, FIRST).sections == '{"policy":{"patience":"3m"}}'


def test_a_deployment_gives_up_while_others_apply_one_version_after_the_other() -> None:
    store = BusyStore()
    patiences = iter(f"policy: {{patience: {minutes}m}}" for minutes in range(10, 60))

    def others() -> None:
        store.meanwhile = lambda: None
        apply(store, next(patiences))
        store.meanwhile = others

    store.meanwhile = others
    forced = file(FIRST)
    with pytest.raises(StaleVersion):
        Deployments(editor(store), "queue").deploy(DeployedFile(forced.digest, forced.fetch, is_forced=True))


def test_every_version_keeps_what_the_stack_deployed_last() -> None:
    store = MemoryConfigStore()
    deployed = deploy(store, FIRST).deployed
    apply(store, OPERATORS)
    edited = editor(store)
    edited.apply(edited.rollback(1), "ada")
    assert {version.deployed for version in store.versions.values()} == {deployed}


def test_files_in_turn_are_each_in_force_with_the_one_before_as_the_way_back() -> None:
    store = MemoryConfigStore()
    texts = [f"policy: {{patience: {minutes}m}}" for minutes in range(1, 6)]
    for before, text in pairwise(["", *texts]):
        applied = deploy(store, text).deployed
        assert (applied.digest, applied.digest_before) == (file(text).digest, before and file(before).digest)
