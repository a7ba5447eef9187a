"""Defects in applying and reading the configuration."""

from dataclasses import replace
from typing import Any

import pytest

from scheduler.config import editor
from scheduler.config.editor import Change, ConfigEditor
from scheduler.core.configuration.configuration import Configuration, ConfigVersion
from scheduler.observe.configuration import ConfigurationReader


def apply_half(patches: pytest.MonkeyPatch) -> None:
    """Leaves out the last changed section of several."""
    apply = ConfigEditor.apply

    def half(self: ConfigEditor, change: Change, *rest: Any) -> ConfigVersion:
        *some, last = change.changed or ("",)
        kept = {kind: section for kind, section in change.sections.items() if kind != last or not some}
        return apply(self, replace(change, sections=kept), *rest)

    patches.setattr(ConfigEditor, "apply", half)


def lose_what_a_file_leaves_out(patches: pytest.MonkeyPatch) -> None:
    """Drops the sections that the file does not have."""
    changed = ConfigEditor._change
    patches.setattr(ConfigEditor, "_change", lambda *args, **_: changed(*args, keeps_others=False))


def lose_the_author(patches: pytest.MonkeyPatch) -> None:
    apply = ConfigEditor.apply
    patches.setattr(ConfigEditor, "apply", lambda self, change, _author, *rest: apply(self, change, "", *rest))


def list_no_changes(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(editor, "ConfigVersion", lambda **values: ConfigVersion(**values | {"changed": ()}))


def read_the_version_before(patches: pytest.MonkeyPatch) -> None:
    in_force = ConfigurationReader.in_force

    def older(self: ConfigurationReader, before: int | None = None) -> tuple[ConfigVersion, Configuration]:
        newest = self.store.latest(1, before)
        return in_force(self, newest[0].version if newest and newest[0].version > 1 else before)

    patches.setattr(ConfigurationReader, "in_force", older)
