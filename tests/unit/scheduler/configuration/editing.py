"""Applies files of settings to a store in memory."""

from typing import Any

import pytest

from scheduler.config.editor import ConfigEditor
from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.core.configuration.kinds import Stack
from scheduler.errors.config_errors import BadConfig
from scheduler.ports.config_store import ConfigStore
from support.builders.configurations import a_reader
from support.memory.clock import FixedClock
from support.memory.config_store import MemoryConfigStore

FILE = """policy: {patience: 10m}
pools:
- {instance_type: ml.m5.large, use: reuse}
"""


def editor(store: ConfigStore, stack: Stack | None = None) -> ConfigEditor:
    return ConfigEditor(a_reader(store, stack), FixedClock())


def a_store(*versions: ConfigVersion) -> MemoryConfigStore:
    return MemoryConfigStore({version.version: version for version in versions})


def apply(
    store: ConfigStore, text: str, author: str = "ada", replaces: int | None = None, comment: str = ""
) -> ConfigVersion:
    edited = editor(store)
    return edited.apply(edited.change(text), author, replaces, comment)


def problems(text: str, store: MemoryConfigStore | None = None, stack: Stack | None = None) -> list[tuple[Any, ...]]:
    """Returns why the file is refused, and asserts that nothing of it was applied."""
    store = store or MemoryConfigStore()
    known = dict(store.versions)
    with pytest.raises(BadConfig) as refused:
        editor(store, stack).change(text)
    assert store.versions == known
    return [tuple(problem) for problem in refused.value.problems]
