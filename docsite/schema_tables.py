"""Converts JSON schemas to Markdown tables: the members of objects, with type, default and meaning."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]


def members(schema: Schema) -> str:
    """Returns a table of an object's members, or an empty text if it has none."""
    required = schema.get("required", [])
    rows = [_row(name, member, is_required=name in required) for name, member in _properties(schema).items()]
    return table([("member", "type", "default", "meaning"), *rows]) if rows else ""


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Returns a table whose first row is the heading. Leaves out columns without text."""
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    heading, *lines = ["| " + " | ".join(cells) + " |" for cells in zip(*columns, strict=True)]
    return "\n".join([heading, "|---" * len(columns) + "|", *lines]) + "\n"


def type_of(schema: Schema) -> str:
    """Returns a short text for the type of a value. A named type becomes a link to its heading."""
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(type_of(choice) for choice in choices))
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"{type_of(schema['additionalProperties'])} by name"
    return f"{_plain_type(schema)}{_range(schema)}"


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _properties(schema: Schema) -> dict[str, Schema]:
    inherited = [member for part in schema.get("allOf", []) for member in part.get("properties", {}).items()]
    return dict(inherited) | dict(schema.get("properties", {}))


def _row(name: str, member: Schema, *, is_required: bool) -> tuple[str, ...]:
    default = "required" if is_required else f"`{member['default']}`" if member.get("default") not in (None, "") else ""
    return f"`{name}`", cell(type_of(member)), cell(default), cell(member.get("description", ""))


def _plain_type(schema: Schema) -> str:
    kind = schema.get("type", "any value")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _range(schema: Schema) -> str:
    parts = [
        f"{words} {schema[key]}"
        for key, words in {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to"}.items()
        if key in schema
    ]
    return f", {' '.join(parts)}" if parts else ""


def named_types(schemas: Mapping[str, Schema], level: int) -> Iterator[str]:
    """Yields a section for each type, sorted by name."""
    for name, schema in sorted(schemas.items()):
        yield f"{'#' * level} {name}\n"
        if description := schema.get("description"):
            yield f"{description}\n"
        yield members(schema) or f"{type_of(schema)}\n"
