"""The document of callers: JSON text that becomes entries, or a list of everything that is wrong with it."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from attrs import frozen
from cattrs import Converter

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import Entry
from scheduler.core.documents import document_reading
from scheduler.core.documents.document_reading import Found
from scheduler.core.documents.strict_structure import strict_converter
from scheduler.errors.config_errors import BadCallers

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# All that a role's ARN or an instance type may consist of: fnmatch would make more of ? and [.
_LIMIT = re.compile(r"[\w+=,.@/:*-]+", re.ASCII)


@frozen(kw_only=True)
class _Content:
    callers: tuple[Entry, ...]


@lru_cache(maxsize=4)  # every call and every cycle asks for the document that is in force
def entries_of(text: str) -> tuple[Entry, ...]:
    """Read a document that was accepted once. Raises BadCallers."""
    return document_reading.read(text, _structured, BadCallers)


def accepted(text: str) -> tuple[Entry, ...]:
    """Read a new document. Raises BadCallers for anything in it that is wrong."""
    document_reading.refuse_ambiguous(text, BadCallers)
    entries = entries_of(text)
    document_reading.refuse_found(text, _odd(entries), BadCallers)
    return entries


def _structured(document: Mapping[str, Any]) -> tuple[Entry, ...]:
    return _converter.structure(document, _Content).callers


def _odd(entries: tuple[Entry, ...]) -> Iterator[Found]:
    names: set[str] = set()
    principals: set[PrincipalPattern] = set()
    for index, entry in enumerate(entries):
        path = f"callers[{index}]"
        if not _NAME.fullmatch(entry.name):
            yield f"{path}.name", "must be 1 to 64 letters, digits, - and _"
        if entry.name in names:
            yield f"{path}.name", f"{entry.name!r} is the name of an entry above"
        if principals & {*entry.principals}:
            yield f"{path}.principals", "has one that an entry above has: only the first entry that fits counts"
        yield from _odd_limits(path, entry)
        names.add(entry.name)
        principals.update(entry.principals)


def _odd_limits(path: str, entry: Entry) -> Iterator[Found]:
    for member, patterns in (("execution_roles", entry.execution_roles), ("instance_types", entry.instance_types)):
        if not all(_LIMIT.fullmatch(pattern) for pattern in patterns or ()):
            yield f"{path}.{member}", "has characters that no such name has; * stands for any text"
    if not all(_NAME.fullmatch(team) for team in entry.teams):
        yield f"{path}.teams", "must be names of 1 to 64 letters, digits, - and _"


def _principal(text: Any, _: object) -> PrincipalPattern:
    if not isinstance(text, str):
        raise ValueError("must be text, such as role/Vision")  # noqa: TRY004 - a problem of the document, told like the others
    return PrincipalPattern.parse(text)


def _make_converter() -> Converter:
    converter = strict_converter()
    converter.register_structure_hook(PrincipalPattern, _principal)
    return converter


_converter = _make_converter()
