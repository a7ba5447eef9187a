"""The stack as CloudFormation would make it: template.yaml, expanded offline by SAM's own translator."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cfnlint.decode import decode
from samtranslator.translator.transform import transform

Resource = dict[str, Any]

TEMPLATE = Path(__file__).parents[2] / "template.yaml"


@dataclass(frozen=True, slots=True)
class Stack:
    """`source` is the file as written, `expanded` what SAM makes of it."""

    source: Resource
    expanded: Resource

    @classmethod
    def load(cls) -> "Stack":
        source, problems = decode(str(TEMPLATE))
        assert problems == []
        return cls(source, transform(_as_built(source), {}, _NoManagedPolicies()))

    def of_type(self, kind: str) -> dict[str, Resource]:
        """Properties by logical name."""
        resources = self.expanded["Resources"].items()
        return {name: resource.get("Properties", {}) for name, resource in resources if resource["Type"] == kind}

    @property
    def functions(self) -> dict[str, Resource]:
        return self.of_type("AWS::Lambda::Function")

    def role_of(self, function: str) -> Resource:
        return self.of_type("AWS::IAM::Role")[self.functions[function]["Role"]["Fn::GetAtt"][0]]

    def statements_of(self, function: str) -> list[Resource]:
        policies = self.role_of(function)["Policies"]
        return [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]

    def actions_of(self, function: str) -> set[str]:
        return {action for statement in self.statements_of(function) for action in as_list(statement["Action"])}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def walk(value: Any) -> Iterator[Resource]:
    """Every mapping inside, from the outside in."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


class _NoManagedPolicies:
    """SAM asks for managed policies by name. The template names none."""

    def load(self) -> dict[str, str]:
        return {}


def _as_built(source: Resource) -> Resource:
    """As `sam build` and the upload leave it: code is in S3."""
    built: Resource = json.loads(json.dumps(source))
    for resource in walk(built):
        for code in {"CodeUri", "ContentUri"} & resource.keys():
            resource[code] = "s3://bucket/key"
    return built
