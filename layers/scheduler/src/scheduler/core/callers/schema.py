"""The schema of the section `callers`, whose entries grant permissions."""

import re
from collections.abc import Iterator
from typing import Any

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import ANY_ROLE, CallerEntry, Verb
from scheduler.core.sections.schema import FieldProblem, Schema

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# The characters of role ARNs and instance types, without ? and [, which have a special meaning for fnmatch.
_LIMIT = re.compile(r"[\w+=,.@/:*-]+", re.ASCII)


#: The permissions that apply until an operator sets others: all callers may submit jobs and control their own jobs.
_EVERYBODY = {
    "name": "everybody",
    "principals": ["*"],
    "verbs": ["submit", "control_own"],
    "execution_roles": [ANY_ROLE],
}


def problems(entries: tuple[CallerEntry, ...]) -> Iterator[FieldProblem]:
    names: set[str] = set()
    principals: set[PrincipalPattern] = set()
    if not any(Verb.SUBMIT in entry.verbs for entry in entries):
        yield "", "must have at least one entry with the verb submit"
    for index, entry in enumerate(entries):
        path = f"[{index}]"
        if not _NAME.fullmatch(entry.name):
            yield f"{path}.name", "must be 1 to 64 letters, digits, - and _"
        if entry.name in names:
            yield f"{path}.name", f"{entry.name!r} is the name of an entry above"
        if principals & {*entry.principals}:
            yield f"{path}.principals", "repeats a principal of an entry above: only the first matching entry counts"
        for member, patterns in (("execution_roles", entry.execution_roles), ("instance_types", entry.instance_types)):
            if not all(_LIMIT.fullmatch(pattern) for pattern in patterns or ()):
                yield (
                    f"{path}.{member}",
                    "has characters that are not allowed; * matches any text",
                )
        if not all(_NAME.fullmatch(team) for team in entry.teams):
            yield f"{path}.teams", "must be names of 1 to 64 letters, digits, - and _"
        names.add(entry.name)
        principals.update(entry.principals)


def _principal(text: Any, _: object) -> PrincipalPattern:
    if not isinstance(text, str):
        raise ValueError("must be text, such as role/Vision")  # noqa: TRY004 - a problem of the section, reported like the others
    return PrincipalPattern.parse(text)


SCHEMA: Schema[tuple[CallerEntry, ...]] = Schema(
    tuple[CallerEntry, ...], hooks={PrincipalPattern: _principal}, default=[_EVERYBODY]
)
