"""The stack's parameters, checked against the template with CloudFormation's rules before anything starts."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from local_account.errors import AccountError
from local_account.paths import Paths
from local_account.settings import Settings


def stack_parameters(settings: Settings, paths: Paths) -> dict[str, str]:
    """Returns the parameters of the deployment. Raises AccountError for a value that CloudFormation would refuse."""
    chosen = {"InstanceBudget": settings.budget, "SweepRate": settings.sweep_rate, **settings.parameters}
    known = _declared(paths)
    for name, value in chosen.items():
        if name not in known:
            raise AccountError(f"{name} is not a parameter of the stack; choose one of {', '.join(sorted(known))}")
        if not _accepts(known[name], value):
            raise AccountError(f"{name} cannot be {value!r}: {_rule(known[name])}")
    return chosen


class _Loader(yaml.SafeLoader):
    """Reads a template, and ignores CloudFormation's tags such as !Ref."""


_Loader.add_multi_constructor("!", lambda _loader, _suffix, _node: None)


def _declared(paths: Paths) -> Mapping[str, Mapping[str, Any]]:
    template = yaml.load(paths.template.read_text(), _Loader)  # noqa: S506 - a SafeLoader
    parameters: Mapping[str, Mapping[str, Any]] = template["Parameters"]
    return parameters


def _accepts(parameter: Mapping[str, Any], value: str) -> bool:
    if "AllowedValues" in parameter and value not in map(str, parameter["AllowedValues"]):
        return False
    if parameter["Type"] == "Number":
        return _is_number_within(parameter, value)
    return len(value) <= parameter.get("MaxLength", len(value)) and bool(
        re.fullmatch(parameter.get("AllowedPattern", "[\\s\\S]*"), value)
    )


def _is_number_within(parameter: Mapping[str, Any], value: str) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    return bool(parameter.get("MinValue", number) <= number <= parameter.get("MaxValue", number))


def _rule(parameter: Mapping[str, Any]) -> str:
    if "AllowedValues" in parameter:
        return f"must be one of {', '.join(map(str, parameter['AllowedValues']))}"
    return str(parameter.get("ConstraintDescription", "see template.yaml"))
