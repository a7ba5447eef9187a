"""Edits the configuration: reads a file, checks it against the stack, and applies it as a new version."""

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from scheduler.core.configuration import kinds
from scheduler.core.configuration.configuration import Configuration, ConfigVersion, Deployment
from scheduler.core.configuration.kinds import Sections
from scheduler.core.sections.file_content import FileContent, UnreadableFile
from scheduler.core.sections.file_text import read_file
from scheduler.core.sections.schema import BadSection, ConfigKind, FieldProblem, suggestion
from scheduler.errors.config_errors import (
    MAX_REPORTED_PROBLEMS,
    BadConfig,
    Problem,
    StaleVersion,
    UnknownVersion,
)
from scheduler.errors.internal import StaleConfig
from scheduler.errors.refusals import shown
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import API

#: The most bytes in all sections together: a table item holds 400 KB (aws-facts 4.20).
MAX_BYTES = 300 * 1024
_NOTHING_KEPT = "no applied version can be read, so none of its sections can be kept: write all of them. Missing:"
_EMPTY = "is empty: leave it out to keep the current section, or write {default} for its default"
#: Matches the part of a problem that names the expected value, without the reasons after it.
_EXPECTED = re.compile(r"(?:(?!: |; | \().)+", re.DOTALL)
_BURIED = "version {} cannot be read, so version {} applies; a new file replaces both"


@dataclass(frozen=True, slots=True)
class Change:
    """A change that can be applied: the current configuration, and the configuration that would replace it."""

    newest: int  # the latest version's number, even if that version is unreadable
    in_force: ConfigVersion
    before: Configuration
    after: Configuration
    sections_before: Sections
    sections: Sections
    warnings: tuple[str, ...]

    @property
    def changed(self) -> tuple[ConfigKind, ...]:
        kinds_given = {*self.sections_before, *self.sections}
        return tuple(kind for kind in ConfigKind if kind in kinds_given and self._differs(kind))

    @property
    def is_needed(self) -> bool:
        """Returns whether a new version is needed: to change sections, or to replace an unreadable version."""
        return bool(self.changed) or self.replaces_unreadable

    @property
    def replaces_unreadable(self) -> bool:
        """Returns whether the latest version is unreadable, so that the sections to replace are unknown."""
        return self.newest != self.in_force.version or not self.before.is_readable

    def _differs(self, kind: ConfigKind) -> bool:
        schema = kinds.SCHEMAS[kind]
        before, after = self.sections_before.get(kind, schema.default), self.sections.get(kind, schema.default)
        # Spelling out a default changes nothing: the text that a queue shows contains all defaults.
        return bool(schema.with_defaults(before) != schema.with_defaults(after))


@dataclass(frozen=True, slots=True)
class ConfigEditor:
    """Prepares and applies changes. `author` is a caller's ARN, or names the stack that applies its own file."""

    reader: ConfigurationReader
    clock: Clock

    def change(self, text: str, kind: ConfigKind | None = None) -> Change:
        """Returns the change that a text makes: a file of sections, or one section of this kind. Raises BadConfig."""
        given, content = _read_sections(text, kind)
        try:
            return self._change(given)
        except BadSection as error:
            raise BadConfig(_with_lines(error.problems, content, kind)) from error

    def rollback(self, version: int) -> Change:
        """Returns the change that restores the sections of an older version. Raises UnknownVersion or BadConfig."""
        found = self.reader.store.get(version)
        sections = kinds.content_of(found) if found else None
        if sections is None:
            raise UnknownVersion(version)
        try:
            return self._change(sections, keeps_others=False)
        except BadSection as error:
            raise BadConfig([Problem(None, path, problem) for path, problem in error.problems]) from error

    def undo(self, version: int) -> Change:
        """Returns the change that undoes a version, except in kinds that later versions changed.

        The restored content was applied before, so only its structure is checked. Raises UnknownVersion or BadConfig.
        """
        undone = self.reader.store.get(version)
        content = kinds.content_of(undone) if undone else None
        before = kinds.content_of(self.reader.in_force(before=version)[0])
        in_force = kinds.content_of(self.reader.in_force()[0])
        if undone is None or content is None or before is None or in_force is None:
            raise UnknownVersion(version)
        restored = {kind for kind in undone.changed if in_force.get(kind) == content.get(kind)}
        kept = {kind: section for kind, section in in_force.items() if kind not in restored}
        given = kept | {kind: before[kind] for kind in restored & before.keys()}
        try:
            return self._change(given, keeps_others=False, was_in_force=True)
        except BadSection as error:
            raise BadConfig([Problem(None, path, problem) for path, problem in error.problems]) from error

    def apply(
        self,
        change: Change,
        author: str,
        replaces: int | None = None,
        comment: str = "",
        deployed: Deployment | None = None,
    ) -> ConfigVersion:
        """Applies the change as a new version, and returns it. Raises StaleVersion.

        An empty change makes no new version, so that a call may be repeated. A deployment always makes a new version.
        """
        if not change.is_needed and deployed is None:
            return change.in_force
        if replaces is not None and replaces != change.newest:
            raise StaleVersion(replaces, change.newest)
        applied = ConfigVersion(
            version=change.newest + 1,
            sections=json.dumps(change.sections, separators=(",", ":")),
            changed=tuple(change.changed),
            author=author,
            applied_at=self.clock.now(),
            comment=comment,
            deployed=deployed or change.in_force.deployed,
        )
        try:
            self.reader.store.add(applied, by=API)
        except StaleConfig as error:
            newest = self.reader.store.latest()[0]
            if (newest.version, newest.sections, newest.author) == (applied.version, applied.sections, author):
                return newest  # the same call arrived twice at once, or the answer to the write was lost
            raise StaleVersion(change.newest, newest.version) from error
        return applied

    def _change(self, given: Sections, *, keeps_others: bool = True, was_in_force: bool = False) -> Change:
        """Returns the change. Raises BadSection, even for problems that the change causes in sections that it keeps."""
        newest = self.reader.store.latest()
        version, before = self.reader.in_force()
        in_force = (kinds.content_of(version) or {}) if before.is_readable else {}
        if keeps_others and not before.is_readable and (missing := [kind for kind in ConfigKind if kind not in given]):
            raise BadSection([("", f"{_NOTHING_KEPT} {', '.join(missing)}")])
        sections = {**in_force, **given} if keeps_others else dict(given)
        if len(json.dumps(sections)) > MAX_BYTES:
            raise BadSection([("", f"the total length of all sections exceeds {MAX_BYTES} bytes: shorten a section")])
        after = kinds.parse(sections)
        checked = {kind for kind in given if keeps_others or in_force.get(kind) != given[kind]}
        if not was_in_force and (found := self._problems(before, after, checked)):
            raise BadSection(found)
        number = newest[0].version if newest else 0
        without_effect = kinds.warnings(after, self.reader.stack, self.clock.now())
        warnings = [f"{path} {problem}" for path, problem in without_effect]
        if number != version.version:
            warnings.append(_BURIED.format(number, version.version))
        return Change(number, version, before, after, in_force, sections, tuple(warnings))

    def _problems(self, before: Configuration, after: Configuration, checked: Collection[str]) -> list[FieldProblem]:
        """Returns all problems of the checked kinds, and the new problems of other kinds."""
        stack, now = self.reader.stack, self.clock.now()
        # A change to the stack's budget may have made kept sections invalid, which must not prevent other changes.
        known = {*kinds.problems(before, stack, now)}
        return [
            (path, problem)
            for path, problem in kinds.problems(after, stack, now)
            if kinds.kind_of(path) in checked or (path, problem) not in known
        ]


def _read_sections(text: str, kind: ConfigKind | None) -> tuple[dict[str, Any], FileContent]:
    """Returns the sections of a file by kind. Raises BadConfig."""
    top_level = dict if kind is None else type(kinds.SCHEMAS[kind].default)
    try:
        content = read_file(text, top_level)
    except UnreadableFile as error:
        raise BadConfig([_from_the_top(problem, kind) for problem in error.problems]) from error
    sections = content.value if kind is None else {str(kind): content.value}
    unknown = sections.keys() - {*ConfigKind}
    found = [(name, f"is not a kind of settings{suggestion(name, ConfigKind)}") for name in unknown]
    empty = [name for name, section in sections.items() if section is None and name not in unknown]
    found += [(name, _EMPTY.format(default=json.dumps(kinds.SCHEMAS[ConfigKind(name)].default))) for name in empty]
    if found:
        raise BadConfig(_with_lines(sorted(found), content, kind))
    return sections, content


def _from_the_top(problem: Problem, kind: ConfigKind | None) -> Problem:
    """Returns the problem with its path from the top of a whole file, even if the text has only one section."""
    return problem._replace(field=kinds.place(kind, problem.field)) if kind and problem.field else problem


def _with_lines(problems: Iterable[FieldProblem], content: FileContent, kind: ConfigKind | None) -> list[Problem]:
    """Returns the problems with line numbers. Only reported problems get them, because finding a line is slow."""
    problems = list(problems)
    reported, others = problems[:MAX_REPORTED_PROBLEMS], problems[MAX_REPORTED_PROBLEMS:]
    with_lines = [_in_file(path, problem, content, kind) for path, problem in reported]
    return with_lines + [Problem(None, path, problem) for path, problem in others]


def _in_file(path: str, problem: str, content: FileContent, kind: ConfigKind | None) -> Problem:
    """Returns the problem, with line and value if the text contains the section. `path` begins at the top of a file."""
    section = kinds.kind_of(path)
    if section not in content.value if kind is None else section != kind:
        return Problem(None, path, problem)
    path_in_text = path.removeprefix(kind or "").removeprefix(".")
    return Problem(content.line_of(path_in_text), path, _with_value(problem, path_in_text, content))


def _with_value(problem: str, path: str, content: FileContent) -> str:
    """Adds the wrong value to a problem, as in `must be at most 1w, not '2w'`, unless it is a list or an object."""
    try:
        value = content.value_at(path)
    except LookupError:
        return problem
    if isinstance(value, dict | list) or problem.startswith("is not a known member"):
        return problem
    if problem.startswith("must "):
        return _EXPECTED.sub(lambda expected: f"{expected[0]}, not {shown(value)}", problem, count=1)
    return problem if value is None or str(value) in problem else f"{shown(value)} {problem}"
