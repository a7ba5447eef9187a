"""The client's types match the answers in docs/openapi.json."""

import json
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import NoneType
from typing import Any, get_args, get_type_hints, is_typeddict

import pytest

import sagequeue.contract

SCHEMAS = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text())["components"]["schemas"]
#: What a caller chooses a job by has several forms there, and a part of a plan no name.
OF_THE_CLIENT = {"JobFilter", "DryRun"}
MODULES = [import_module(f"sagequeue.contract.{module.name}") for module in iter_modules(sagequeue.contract.__path__)]
SHAPES = {name: shape for module in MODULES for name, shape in vars(module).items() if is_typeddict(shape)}


@pytest.mark.parametrize("name", sorted({*SHAPES} - OF_THE_CLIENT))
def test_a_shape_has_the_members_that_the_document_gives_it(name: str) -> None:
    schema, shape = SCHEMAS[name], SHAPES[name]
    assert shape.__annotations__.keys() == schema["properties"].keys()
    assert shape.__required_keys__ == {*schema.get("required", [])}


@pytest.mark.parametrize("name", sorted({*SHAPES} - OF_THE_CLIENT))
def test_a_member_may_be_null_where_the_document_says_so(name: str) -> None:
    properties = SCHEMAS[name]["properties"]
    hints = get_type_hints(SHAPES[name])
    assert {member for member in hints if NoneType in get_args(hints[member])} == {
        member for member, schema in properties.items() if may_be_null(schema)
    }


def may_be_null(schema: dict[str, Any]) -> bool:
    return "null" in schema.get("type", []) or any(map(may_be_null, schema.get("anyOf", [])))
