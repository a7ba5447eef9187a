"""Parses the callers document, which grants permissions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import CallerEntry
from scheduler.core.documents.document import DocumentKind
from scheduler.core.documents.parser import DocumentParser, FieldProblem

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# The characters of role ARNs and instance types. fnmatch gives ? and [ a meaning of their own.
_LIMIT = re.compile(r"[\w+=,.@/:*-]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    callers: tuple[CallerEntry, ...]


def entries_of(text: str) -> tuple[CallerEntry, ...]:
    """Returns the entries of an applied document. Raises BadDocument."""
    return _parser.read(text)


def validated(text: str) -> tuple[CallerEntry, ...]:
    """Returns the entries of a new document. Raises BadDocument."""
    return _parser.validated(text, _problems)


def _problems(entries: tuple[CallerEntry, ...]) -> Iterator[FieldProblem]:
    names: set[str] = set()
    principals: set[PrincipalPattern] = set()
    for index, entry in enumerate(entries):
        path = f"callers[{index}]"
        if not _NAME.fullmatch(entry.name):
            yield f"{path}.name", "must be 1 to 64 letters, digits, - and _"
        if entry.name in names:
            yield f"{path}.name", f"{entry.name!r} is the name of an entry above"
        if principals & {*entry.principals}:
            yield f"{path}.principals", "has a principal of an entry above: only the first entry that matches counts"
        for member, patterns in (("execution_roles", entry.execution_roles), ("instance_types", entry.instance_types)):
            if not all(_LIMIT.fullmatch(pattern) for pattern in patterns or ()):
                yield f"{path}.{member}", "has characters that are not allowed; * matches any text"
        if not all(_NAME.fullmatch(team) for team in entry.teams):
            yield f"{path}.teams", "must be names of 1 to 64 letters, digits, - and _"
        names.add(entry.name)
        principals.update(entry.principals)


def _principal(text: Any, _: object) -> PrincipalPattern:
    if not isinstance(text, str):
        raise ValueError("must be text, such as role/Vision")  # noqa: TRY004 - a problem of the document, reported like the others
    return PrincipalPattern.parse(text)


_parser = DocumentParser(
    DocumentKind.CALLERS, _Content, lambda content: content.callers, {PrincipalPattern: _principal}
)
