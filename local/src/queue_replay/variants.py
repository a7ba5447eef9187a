"""Combines configuration files and the values of `--set` into variants, and replays the jobs with each of them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import click

from queue_replay.configuration import sections_with
from queue_replay.recorded_jobs import Recording
from queue_replay.replay import Replay
from scheduler.core.configuration import kinds
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.budget import Budget
from scheduler.core.sections.file_content import UnreadableFile
from scheduler.core.sections.file_text import read_file
from scheduler.core.sections.schema import BadSection, ConfigKind

#: More replays take hours, and nobody reads a table of them.
_MOST = 100
_OPTION = "--set"


@dataclass(frozen=True, slots=True)
class Setting:
    path: tuple[str, ...]  # of a member: its section first
    values: tuple[str, ...]  # as YAML

    @property
    def name(self) -> str:
        return self.path[-1]

    @classmethod
    def parse(cls, text: str) -> "Setting":
        """Parses "policy.patience=5m,1h"."""
        path, _, values = text.partition("=")
        found = cls(tuple(path.split(".")), tuple(values.split(",")))
        if len(found.path) < 2 or found.path[0] not in {*ConfigKind} or not all((*found.path, *found.values)):
            raise click.BadParameter(f'"{text}" is not of the form policy.patience=5m,1h.', param_hint=_OPTION)
        return found


@dataclass(frozen=True, slots=True)
class Variant:
    file: Path | None
    values: tuple[str, ...]  # one for each setting
    configuration: Configuration


def variants(own: kinds.Sections, files: Sequence[Path], settings: Sequence[Setting]) -> Mapping[str, Variant]:
    """Returns a variant for each combination of a file and values, by title."""
    combinations = list(product(*(setting.values for setting in settings)))
    count = len(combinations) * max(1, len(files))
    if count > _MOST:
        raise click.BadParameter(f"These are {count} replays. At most {_MOST} are possible.", param_hint=_OPTION)
    found = {}
    for file in files or (None,):
        sections = own if file is None else sections_with(own, file)
        for values in combinations:
            title = _title(file if len(files) > 1 else None, settings, values)
            found[title] = Variant(file, values, _changed(sections, settings, values))
    return found


def replay_all(recording: Recording, budget: Budget, found: Mapping[str, Variant]) -> dict[str, Replay]:
    """Replays the jobs with each variant, in parallel processes if there are several."""
    settings = {title: variant.configuration for title, variant in found.items()}
    replays = {title: Replay(recording, budget, one.policy, one.calendar) for title, one in settings.items()}
    if len(replays) == 1:
        return {title: _finished(replay) for title, replay in replays.items()}
    with ProcessPoolExecutor() as pool:
        return dict(zip(replays, pool.map(_finished, replays.values()), strict=True))


def _finished(replay: Replay) -> Replay:
    replay.run()
    return replay


def _title(file: Path | None, settings: Sequence[Setting], values: Sequence[str]) -> str:
    parts = [str(file)] if file else []
    parts += [f"{setting.name}={value}" for setting, value in zip(settings, values, strict=True)]
    return " ".join(parts) or "replayed"


def _changed(sections: kinds.Sections, settings: Sequence[Setting], values: Sequence[str]) -> Configuration:
    if not settings:
        return kinds.parse(sections)
    for setting, value in zip(settings, values, strict=True):
        try:
            sections = _with(sections, setting.path, read_file(f"value: {value}").value["value"])
        except UnreadableFile as error:
            raise click.BadParameter(f'"{value}" is not a value: {error}', param_hint=_OPTION) from error
    try:
        return kinds.parse(sections)
    except BadSection as error:
        problems = "; ".join(f"{path} {problem}" for path, problem in error.problems)
        raise click.BadParameter(problems, param_hint=_OPTION) from error


def _with(members: Mapping[str, Any], path: Sequence[str], value: Any) -> Mapping[str, Any]:
    if len(path) == 1:
        return {**members, path[0]: value}
    inner = members.get(path[0]) or {}
    if not isinstance(inner, Mapping):
        raise click.BadParameter(f"{path[0]} has no members.", param_hint=_OPTION)
    return {**members, path[0]: _with(inner, path[1:], value)}
