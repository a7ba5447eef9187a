"""Reads environment variables, roles, timeouts and indexes from template.yaml, for given parameters."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from cfnlint.decode import decode

from support.checkout import CHECKOUT
from support.roles.granted_permissions import Roles
from support.roles.required_permissions import StackLocation

_TEMPLATE = CHECKOUT / "template.yaml"
#: Values of the parameters without a default.
REQUIRED = {"ExecutionRolePattern": "*SageMaker*"}


def environment(**parameters: object) -> dict[str, str]:
    """Returns the environment of all functions. Resources have their logical names, topics their ARNs."""
    template = _template()
    defaults = {name: parameter.get("Default") for name, parameter in template["Parameters"].items()} | REQUIRED
    if unknown := parameters.keys() - defaults.keys():
        raise ValueError(f"no parameters of the stack: {unknown}")
    values = {name: str(value) for name, value in (defaults | parameters).items()}
    variables = dict(template["Globals"]["Function"]["Environment"]["Variables"])
    for resource in template["Resources"].values():  # some functions add variables, and one leaves some empty
        variables = resource.get("Properties", {}).get("Environment", {}).get("Variables", {}) | variables
    granted = roles(**parameters)
    return {name: _resolved(granted.chosen(variable), values) for name, variable in variables.items()}


def roles(**parameters: object) -> Roles:
    """Returns the roles as they are on AWS, without the permissions that only the local account needs."""
    return _roles(tuple(sorted((REQUIRED | parameters).items())))


@cache
def timeout_of(function: str) -> float:
    """Returns the timeout in seconds of the function whose handler is in this folder."""
    functions = [resource.get("Properties", {}) for resource in _template()["Resources"].values()]
    return float(next(found["Timeout"] for found in functions if found.get("Handler") == f"{function}.handler.handle"))


class Index(NamedTuple):
    """An index of the table. It is a tuple, because each query compares it."""

    partition: str
    sort: str
    keys_only: bool


#: The table itself.
PRIMARY = Index("pk", "sk", keys_only=False)


@cache
def indexes() -> Mapping[str, Index]:
    table = _template()["Resources"]["Queue"]["Properties"]
    return {
        index["IndexName"]: Index(
            index["KeySchema"][0]["AttributeName"],
            index["KeySchema"][1]["AttributeName"],
            keys_only=index["Projection"]["ProjectionType"] == "KEYS_ONLY",
        )
        for index in table["GlobalSecondaryIndexes"]
    }


def _resolved(variable: Any, values: Mapping[str, str]) -> str:
    match variable:
        case {"Ref": name}:
            return values[name] if name in values else _reference(name)
        case {"Fn::Sub": text}:
            return re.sub(r"\$\{(\w+)}", lambda found: values[found[1]], text)
    return str(variable)


@cache
def _roles(parameters: tuple[tuple[str, object], ...]) -> Roles:
    return Roles(_template(), dict(parameters), StackLocation())


def _reference(name: str) -> str:
    kind = _template()["Resources"][name]["Type"]
    return StackLocation().arn("sns", name) if kind == "AWS::SNS::Topic" else name


@cache
def _template() -> dict[str, Any]:
    template, problems = decode(str(_TEMPLATE))
    assert problems == []
    return dict(template)
