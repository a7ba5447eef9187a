"""Generates the reference for the configuration's sections from the JSON schema for configuration files."""

from collections.abc import Iterator

from openapi.config_schema import document

from docsite.schema_tables import Schema, members, named_types, type_of


def sections() -> str:
    """Returns Markdown with a part for each section, and one for each type in them."""
    made = document()
    parts = [part for name, schema in made["properties"].items() for part in _section(name, schema)]
    return "\n".join([*parts, "## Types\n", *named_types(made["$defs"], 3)])


def _section(name: str, schema: Schema) -> Iterator[str]:
    yield f"## Section `{name}`\n"
    yield members(schema) or f"A {type_of(schema)}.\n"
