"""Builds the JSON schema of configuration files, for editors, from the section types in the code.

It describes structure only; `sagequeue config plan` also checks values against each other and against the stack.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from inspect import getdoc
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo

from openapi.schemas import Schema
from scheduler.core.calendar.span import SPAN, WeeklySpan
from scheduler.core.callers.pattern import EVERYBODY, NAMED, PERSON, PrincipalPattern
from scheduler.core.callers.permissions import CONFIG_VERBS, CallerEntry, Verb
from scheduler.core.configuration.kinds import SCHEMAS
from scheduler.core.guardrails.rules import KINDS, Rule
from scheduler.core.jobs.principal import PrincipalKind
from scheduler.core.sections.durations import DURATION, Duration
from scheduler.core.sections.schema import Schema as SectionSchema

_ROOT = Path(__file__).parents[1]
#: Two copies of the schema: one for references, and one that ships with the client.
PATHS = (_ROOT / "docs" / "config.schema.json", _ROOT / "client/src/sagequeue/contract/config.schema.json")
_REFERENCE = "#/$defs/"
_TEXT: Schema = {"type": "string", "pattern": r"\S"}
_NULL: Schema = {"type": "null"}
_DURATION: Schema = {
    "type": "string",
    "pattern": f"^(?=.){DURATION.pattern}$",
    "examples": ["90s", "5m", "1h30m", "2d", "1w"],
}
_TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].+)?$"

#: The schemas of types without fields.
_PLAIN: Mapping[Any, Schema] = {
    Duration: {"$ref": f"{_REFERENCE}Duration"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Decimal: {"type": "number"},
    str: _TEXT,
    date: {"type": "string", "format": "date", "examples": ["2026-11-22"]},
    datetime: {"type": "string", "pattern": _TIME, "examples": ["2026-12-24", "2026-12-24T08:00"]},
    ZoneInfo: {"type": "string", "pattern": "^[A-Za-z0-9_+/-]+$", "examples": ["UTC", "Europe/Berlin"]},
    re.Pattern[str]: {"type": "string", "format": "regex", "maxLength": 256},
    WeeklySpan: {"type": "string", "pattern": f"^{SPAN.pattern}$", "examples": ["fri 20:00 - mon 07:00"]},
    PrincipalPattern: {
        "type": "string",
        "pattern": f"^(?:{re.escape(EVERYBODY)}|{PrincipalKind.ROOT}|{PERSON.pattern}|{NAMED.pattern})$",
        "examples": ["role/Vision", "user/ada"],
    },
}
#: The schemas of members whose types do not list the allowed values.
_MEMBERS: Mapping[tuple[type, str], Schema] = {
    (CallerEntry, "verbs"): {"type": "array", "items": {"enum": [*Verb, *sorted(CONFIG_VERBS)]}},
}


def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def document() -> Schema:
    """Returns the schema of a file with a section for each kind."""
    schemas = _Schemas()
    sections = {str(kind): schemas.of_section(schema) for kind, schema in SCHEMAS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "SageQueue configuration",
        "description": "All operator settings. Sections that are left out stay unchanged.",
        "type": "object",
        "properties": sections,
        "additionalProperties": False,
        "$defs": dict(sorted(schemas.definitions.items())),
    }


class _Schemas:
    """Builds schemas from types, and collects those that have names."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {"Duration": _DURATION}

    def of_section(self, section: SectionSchema[Any]) -> Schema:
        self._unstructure = section.converter.unstructure
        shape = section.shape
        return self._object(shape) if is_dataclass(shape) and isinstance(shape, type) else self._of(shape)

    def _of(self, kind: Any) -> Schema:
        if kind in _PLAIN:
            return _PLAIN[kind]
        if kind is Rule:
            return {"oneOf": [self._named(rule) for _, rule in sorted(KINDS.items())]}
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in (UnionType, Union):
            return {"anyOf": [_NULL if part is type(None) else self._of(part) for part in arguments]}
        if origin is tuple:
            return {"type": "array", "items": self._of(arguments[0])}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(*arguments)
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return {"enum": [*kind]}
        return self._named(kind)

    def _mapping(self, keys: Any, values: Any) -> Schema:
        names = {"propertyNames": self._of(keys)} if keys is not str else {}
        return {"type": "object", **names, "additionalProperties": self._of(values)}

    def _named(self, kind: type) -> Schema:
        name = kind.__name__.removeprefix("_")
        made = self._object(kind)
        if self.definitions.setdefault(name, made) != made:
            raise ValueError(f"Two types have the name {name}: rename one of them.")
        return {"$ref": _REFERENCE + name}

    def _object(self, kind: Any) -> Schema:
        hints = get_type_hints(kind, include_extras=True)
        members = {field.name: self._member(kind, field, hints[field.name]) for field in fields(kind)}
        required = [field.name for field in fields(kind) if field.default is field.default_factory is MISSING]
        if issubclass(kind, Rule):
            members, required = {"kind": {"const": kind.kind}, **members}, ["kind", *required]
        made: Schema = {"type": "object", "properties": members, "additionalProperties": False}
        if one_of := getattr(kind, "one_of", ()):
            made["anyOf"] = [{"required": [name]} for name in one_of]
        return _description(kind) | made | ({"required": required} if required else {})

    def _member(self, kind: Any, field: "Field[Any]", hint: Any) -> Schema:
        schema = _MEMBERS.get((kind, field.name)) or self._of(hint)
        if field.default is MISSING or field.default is None:
            return schema
        default = self._unstructure(field.default, hint)
        return schema | {"default": default} if isinstance(default, str | int | float | tuple) else schema


def _description(kind: Any) -> Schema:
    written = re.sub(r" \(aws-facts [^)]*\)", "", getdoc(kind) or "")
    is_generated = written.startswith(f"{kind.__name__}(")
    return {"description": " ".join(written.split())} if written and not is_generated else {}
