"""Generates the REST API reference from its OpenAPI document."""

import re
from collections.abc import Iterator

from openapi.document import document

from docsite.schema_tables import Schema, cell, named_types, table, type_of


def calls() -> str:
    """Returns Markdown with a section for each call, and one for each type of the JSON."""
    made = document()
    found = [section for path, methods in made["paths"].items() for section in _path(path, methods)]
    return "\n".join([*found, "## Types\n", *named_types(made["components"]["schemas"], 3)])


def _path(path: str, methods: dict[str, Schema]) -> Iterator[str]:
    for method, operation in methods.items():
        yield f"### {method.upper()} {path}\n"
        yield f"{operation['summary']}.\n"
        yield from _parameters(operation)
        if body := operation.get("requestBody"):
            schema = body["content"]["application/json"]["schema"]
            yield f"Body: {type_of(schema)}{'' if body['required'] else ', optional'}.\n"
        yield "| status | answer |\n|---|---|"
        yield from (f"| {status} | {_answer(answer)} |" for status, answer in operation["responses"].items())
        yield ""


def _parameters(operation: Schema) -> Iterator[str]:
    if parameters := operation.get("parameters"):
        yield table([("parameter", "in", "type", "meaning"), *map(_parameter, parameters)])


def _parameter(parameter: Schema) -> tuple[str, ...]:
    schema = parameter["schema"]
    where = parameter["in"] + (", required" if parameter.get("required") else "")
    return f"`{parameter['name']}`", where, cell(type_of(schema)), cell(schema.get("description", ""))


def _answer(answer: Schema) -> str:
    """Returns the codes of a refusal as links, or the type of the answer."""
    _, is_refusal, codes = answer["description"].partition("Refused: ")
    if is_refusal:
        return re.sub(r"`(\w+)`", r"[`\1`](errors.md#\1)", codes)
    return cell(type_of(answer["content"]["application/json"]["schema"]))
