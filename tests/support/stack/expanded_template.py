"""Expands template.yaml or a template in stacks/ offline with SAM's translator, as CloudFormation does."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cfnlint.decode import decode
from samtranslator.translator.transform import transform

from support.checkout import CHECKOUT

Resource = dict[str, Any]

_NOTHING = {"Ref": "AWS::NoValue"}
TEMPLATE = CHECKOUT / "template.yaml"
STACKS = CHECKOUT / "stacks"


@dataclass(frozen=True, slots=True)
class Stack:
    """Holds the template: `source` as written, `expanded` by SAM."""

    source: Resource
    expanded: Resource

    @classmethod
    def load(cls, template: Path = TEMPLATE, **parameters: str) -> "Stack":
        source, problems = decode(str(template))
        assert problems == []
        return cls(source, transform(_as_built(source), parameters, _NoManagedPolicies()))

    def of_type(self, kind: str) -> dict[str, Resource]:
        """Returns the properties of all resources of a type, by logical name."""
        resources = self.expanded["Resources"].items()
        return {name: resource.get("Properties", {}) for name, resource in resources if resource["Type"] == kind}

    def where(self, **conditions: bool) -> "Stack":
        """Returns the stack for these values of conditions. Other conditions stay unresolved."""
        return replace(self, expanded=_chosen(self.expanded, conditions))

    @property
    def functions(self) -> dict[str, Resource]:
        return self.of_type("AWS::Lambda::Function")

    def role_of(self, function: str) -> Resource:
        return self.of_type("AWS::IAM::Role")[self.functions[function]["Role"]["Fn::GetAtt"][0]]

    def statements_of(self, function: str) -> list[Resource]:
        """Returns all statements of the function's role, including those under a condition."""
        policies = self.role_of(function)["Policies"]
        found = [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]
        return [_granted(statement) for statement in found]

    def conditions_of(self, function: str) -> list[tuple[str, Resource]]:
        """Returns the statements of the function's role that have a condition, each with the condition."""
        found = [one for policy in self.role_of(function)["Policies"] for one in policy["PolicyDocument"]["Statement"]]
        return [(statement["Fn::If"][0], _granted(statement)) for statement in found if "Fn::If" in statement]

    def actions_of(self, function: str) -> set[str]:
        allowed = (statement for statement in self.statements_of(function) if statement["Effect"] == "Allow")
        return {action for statement in allowed for action in as_list(statement["Action"])}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def walk(value: Any) -> Iterator[Resource]:
    """Yields every mapping in the value, outermost first."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


def _chosen(value: Any, conditions: Mapping[str, bool]) -> Any:
    match value:
        case {"Fn::If": [condition, yes, no]} if condition in conditions:
            return _chosen(yes if conditions[condition] else no, conditions)
        case dict():
            inner = {
                name: _chosen(member, conditions) for name, member in value.items() if _is_made(member, conditions)
            }
            return {name: member for name, member in inner.items() if member != _NOTHING}
        case list():
            return [entry for entry in (_chosen(entry, conditions) for entry in value) if entry != _NOTHING]
    return value


def _granted(statement: Resource) -> Resource:
    """Returns the statement that applies if the condition holds. If it does not hold, nothing is granted."""
    match statement:
        case {"Fn::If": [_, granted, nothing]}:
            assert nothing == _NOTHING
            return dict(granted)
    return statement


def _is_made(value: Any, conditions: Mapping[str, bool]) -> bool:
    """Returns whether a resource is created under these conditions."""
    condition = value.get("Condition") if isinstance(value, dict) and "Type" in value else None
    return not isinstance(condition, str) or conditions.get(condition, True)


class _NoManagedPolicies:
    """Answers SAM's look-up of managed policies by name. The template names none."""

    def load(self) -> dict[str, str]:
        return {}


def _as_built(source: Resource) -> Resource:
    """Returns the template after `sam build` and upload: with addresses in S3, and with the files that it includes."""
    built: Resource = json.loads(json.dumps(source))
    for resource in walk(built):
        for code in {"CodeUri", "ContentUri"} & resource.keys():
            resource[code] = "s3://bucket/key"
        if include := resource.pop("Fn::Transform", None):  # CloudFormation does this first
            resource |= json.loads((CHECKOUT / include["Parameters"]["Location"]).read_text())
        if "TemplateURL" in resource:
            resource["TemplateURL"] = "https://s3.amazonaws.com/bucket/key"
    return built
