"""Reads the callers document: JSON text becomes entries, or a list of every problem in it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cattrs import Converter

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import CallerEntry
from scheduler.core.documents import document_reading
from scheduler.core.documents.document_reading import FieldProblem
from scheduler.core.documents.strict_structure import strict_converter
from scheduler.errors.config_errors import BadCallers

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# The characters of role ARNs and instance types. fnmatch gives ? and [ a meaning of their own.
_LIMIT = re.compile(r"[\w+=,.@/:*-]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    callers: tuple[CallerEntry, ...]


@lru_cache(maxsize=4)  # every call and every cycle reads the applied document
def entries_of(text: str) -> tuple[CallerEntry, ...]:
    """Reads an applied document. Raises BadCallers."""
    return document_reading.read(text, _structured, BadCallers)


def validated(text: str) -> tuple[CallerEntry, ...]:
    """Reads a new document. Raises BadCallers."""
    document_reading.refuse_ambiguous(text, BadCallers)
    entries = entries_of(text)
    document_reading.refuse_problems(text, _problems(entries), BadCallers)
    return entries


def _structured(document: Mapping[str, Any]) -> tuple[CallerEntry, ...]:
    return _converter.structure(document, _Content).callers


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
        yield from _limit_problems(path, entry)
        names.add(entry.name)
        principals.update(entry.principals)


def _limit_problems(path: str, entry: CallerEntry) -> Iterator[FieldProblem]:
    for member, patterns in (("execution_roles", entry.execution_roles), ("instance_types", entry.instance_types)):
        if not all(_LIMIT.fullmatch(pattern) for pattern in patterns or ()):
            yield f"{path}.{member}", "has characters that are not allowed; * matches any text"
    if not all(_NAME.fullmatch(team) for team in entry.teams):
        yield f"{path}.teams", "must be names of 1 to 64 letters, digits, - and _"


def _principal(text: Any, _: object) -> PrincipalPattern:
    if not isinstance(text, str):
        raise ValueError("must be text, such as role/Vision")  # noqa: TRY004 - a problem of the document, reported like the others
    return PrincipalPattern.parse(text)


def _make_converter() -> Converter:
    converter = strict_converter()
    converter.register_structure_hook(PrincipalPattern, _principal)
    return converter


_converter = _make_converter()
