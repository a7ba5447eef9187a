"""Judges the configuration: each version is exactly what somebody applied, and functions read the current version."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from scheduler.adapters.dynamodb.records.items import CONFIG, version_from, version_number
from scheduler.core.configuration.configuration import NOTHING_APPLIED, ConfigVersion
from scheduler.core.configuration.kinds import SCHEMAS
from scheduler.core.sections.schema import ConfigKind
from support.account.account import Account
from support.dynamodb.expressions import Item
from support.simulation.judges.checks import Checks
from support.simulation.submissions.user_requests import Applied, UserRequests

#: The maximum age of a decision's configuration: the longest life of a function, pauses included.
OLD_VIEW_SECONDS = 100.0


@dataclass(frozen=True, slots=True)
class Reign:
    """The period in which a version is current. The version is None while none can be read."""

    since: float
    version: ConfigVersion | None

    def content(self, kind: str) -> Any:
        return self.sections.get(kind, _default(kind))

    @property
    def sections(self) -> Mapping[str, Any]:
        return _sections(self.version) if self.version else {}


class ConfigurationJudge:
    def __init__(self, account: Account, checks: Checks, user_requests: UserRequests) -> None:
        self._account, self._check, self._user_requests = account, checks.check, user_requests
        self._versions: dict[int, ConfigVersion] = {}
        self._reigns = [Reign(-inf, NOTHING_APPLIED)]
        user_requests.applied.append(Applied("ops", account.configuration))
        account.on_configuration = self._check_read
        self._read_changes()

    @property
    def newest(self) -> int:
        return max(self._versions, default=0)

    @property
    def now(self) -> Reign:
        return self._reigns[-1]

    def version(self, number: int) -> Mapping[str, Any]:
        """Returns the sections of a version."""
        return _sections(self._versions[number])

    def changed(self, item: Item | None, number: int) -> None:
        """Records a version that was added, corrupted or repaired."""
        self._check("config", item is not None, f"version {number} is gone")
        if item is not None and not self._is_corrupted(number):
            self._check_version(number, version_from(item))
        readable = [number for number in self._versions if not self._is_corrupted(number)]
        in_force = self._versions[max(readable)] if readable else None
        if in_force != self.now.version:
            self._reigns.append(Reign(self._account.now, in_force))

    def seen(self, kind: str, since: float | None = None) -> list[Any]:
        """Returns each content of a section that a function may have read since then, newest last."""
        since = self._account.now - OLD_VIEW_SECONDS if since is None else since
        return [reign.content(kind) for reign in self._since(since) if reign.version is not None]

    def always_has(self, *kinds: str) -> bool:
        """Returns whether each version had these sections.

        A version that replaces unreadable versions keeps none of their sections.
        """
        return all(kind in _sections(version) for version in self._versions.values() for kind in kinds)

    def in_force(self, kind: str) -> tuple[float, Any]:
        """Returns the current content of a section, and the time from which it applies."""
        since = self.now.since
        for reign in reversed(self._reigns):
            if reign.version is None or reign.content(kind) != self.now.content(kind):
                break
            since = reign.since
        return since, self.now.content(kind)

    def _since(self, moment: float) -> Iterator[Reign]:
        ended = [*(reign.since for reign in self._reigns[1:]), inf]
        return (reign for reign, until in zip(self._reigns, ended, strict=True) if until >= moment)

    def _check_version(self, number: int, version: ConfigVersion) -> None:
        """Checks that each version never changes, follows the previous one, and is exactly what operators applied."""
        if number in self._versions:
            self._check("config", self._versions[number] == version, f"version {number} has changed")
            return
        follows = version.version == number == self.newest + 1
        self._check("config", follows, f"version {number} follows {self.newest}")
        self._versions[number] = version
        self._check("config", version.applied_at is not None, f"version {number} has no time")
        sections = _sections(version)
        befores = [reign.sections for reign in self._since(self._account.now - OLD_VIEW_SECONDS)]
        asked = [applied for applied in self._user_requests.applied if applied.author == version.author]
        fitting = [before for before in befores if any(applied.over(before) == sections for applied in asked)]
        self._check("config", bool(fitting), f"nobody applied version {number} of {version.author!r}: {sections}")
        is_listed = any(_differing(before, sections) == {*version.changed} for before in fitting)
        self._check("config", is_listed, f"version {number} changes other kinds than {version.changed}")

    def _check_read(self, number: int | None) -> None:
        """Checks that a function reads a version that has been current at some time since its start."""
        process = self._account.processes.current
        self._read_changes()
        if process is not None:
            reigns = [reign.version for reign in self._since(process.started_at)]
            allowed = [version.version if version else None for version in reigns]
            self._check("config", number in allowed, f"{process.function} reads version {number} instead of {allowed}")

    def _read_changes(self) -> None:
        """Reads versions that were written since the last step, such as versions that no function wrote."""
        table = self._account.table
        for partition, number in table.changed:
            if partition == CONFIG:
                self.changed(table.items.get((partition, number)), int(number))

    def _is_corrupted(self, number: int) -> bool:
        return self._account.table.is_corrupted((CONFIG, version_number(number)))


def _sections(version: ConfigVersion) -> Mapping[str, Any]:
    sections: Mapping[str, Any] = json.loads(version.sections)
    return sections


def _default(kind: str) -> Any:
    return SCHEMAS[ConfigKind(kind)].default


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    return {kind for kind in {*before, *after} if _meaning(kind, before) != _meaning(kind, after)}


def _meaning(kind: str, sections: Mapping[str, Any]) -> Any:
    """Returns the section's value, which is the same whether or not defaults are written out."""
    return SCHEMAS[ConfigKind(kind)].parse(sections.get(kind, _default(kind)))
