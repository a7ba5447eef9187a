"""Generates the reference for the stack's parameters and outputs from template.yaml."""

from pathlib import Path
from typing import Any

import yaml

from docsite.schema_tables import cell

_TEMPLATE = Path(__file__).parents[1] / "template.yaml"


class _Template(yaml.SafeLoader):
    """Loads CloudFormation's short forms, such as !Sub, as plain values."""


def _plain_value(loader: yaml.SafeLoader, _tag: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)  # type: ignore[arg-type]  # a node is of one of three kinds


_Template.add_multi_constructor("!", _plain_value)


def parameters() -> str:
    """Returns a table of the parameters, in the order of `sam deploy --guided`."""
    rows = [
        f"| `{name}` | {_default(entry)} | {_allowed(entry)} | {cell(entry['Description'])} |"
        for name, entry in _template()["Parameters"].items()
    ]
    return "\n".join(["| parameter | default | allowed | meaning |", "|---|---|---|---|", *rows])


def outputs() -> str:
    rows = [f"| `{name}` | {cell(entry['Description'])} |" for name, entry in _template()["Outputs"].items()]
    return "\n".join(["| output | meaning |", "|---|---|", *rows])


def _template() -> dict[str, Any]:
    template: dict[str, Any] = yaml.load(_TEMPLATE.read_text(), _Template)  # noqa: S506  # a SafeLoader
    return template


def _default(entry: dict[str, Any]) -> str:
    if "Default" not in entry:
        return "required"
    return "empty" if entry["Default"] == "" else f"`{entry['Default']}`"


def _allowed(entry: dict[str, Any]) -> str:
    if values := entry.get("AllowedValues"):
        return ", ".join(f"`{value}`" for value in values)
    return cell(entry.get("ConstraintDescription", "").removeprefix("must be "))
