"""AWS's limits, with the longest names and parameters that the template allows."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from support.stack.expanded_template import Stack, walk
from template.test_functions import FUNCTIONS

#: The longest that AWS has: partition and region of GovCloud and of Asia, and the name of a stack.
PSEUDO = {
    "AWS::Partition": "aws-us-gov",
    "AWS::Region": "ap-southeast-1",
    "AWS::AccountId": "1" * 12,
    "AWS::URLSuffix": "amazonaws.com.cn",
    "AWS::StackName": "s" * 128,
    "AWS::StackId": f"arn:aws-us-gov:cloudformation:ap-southeast-1:{'1' * 12}:stack/{'s' * 128}/{'0' * 36}",
}
#: CloudFormation makes a name of the stack's, the logical one and 13 more letters, cut to the longest of the service.
LONGEST_NAMES = {"AWS::IAM::Role": 64, "AWS::Lambda::Function": 64, "AWS::S3::Bucket": 63, "AWS::SQS::Queue": 80}
OTHERS = 255
ENVIRONMENT, RESOURCE_POLICY, ROLE_POLICIES = 4096, 20_480, 10_240
_NOTHING = {"Ref": "AWS::NoValue"}


@pytest.fixture(scope="module")
def values(stack: Stack) -> dict[str, str]:
    """The value of each name that a reference can have."""
    parameters = {name: _longest(parameter) for name, parameter in stack.source["Parameters"].items()}
    names = {name: _physical(name, resource["Type"]) for name, resource in stack.expanded["Resources"].items()}
    return {**PSEUDO, **names, **parameters}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_longest_settings_fit_into_a_functions_environment(
    stack: Stack, values: dict[str, str], function: str
) -> None:
    variables = _filled(stack.functions[function]["Environment"]["Variables"], values, stack)
    assert len(variables["CALLERS"]) > 200  # the values are filled in
    assert _size(variables) <= ENVIRONMENT  # Lambda measures it as such a text


@pytest.mark.parametrize("function", FUNCTIONS)
def test_all_permissions_to_call_a_function_fit_into_its_policy(
    stack: Stack, values: dict[str, str], function: str
) -> None:
    permissions = stack.of_type("AWS::Lambda::Permission").values()
    calling = [_filled(one, values, stack) for one in permissions if function in str(one["FunctionName"])]
    with_fixed_members = len(calling) * 200  # Sid, Effect and the operators of conditions
    assert _size(calling) + with_fixed_members <= RESOURCE_POLICY


@pytest.mark.parametrize("function", FUNCTIONS)
def test_all_policies_of_a_functions_role_fit(stack: Stack, values: dict[str, str], function: str) -> None:
    role = f"{function}Role"
    documents = [policy["PolicyDocument"] for policy in stack.role_of(function)["Policies"]]
    attached = stack.of_type("AWS::IAM::Policy").values()
    documents += [policy["PolicyDocument"] for policy in attached if {"Ref": role} in policy["Roles"]]
    assert sum(_size(_filled(document, values, stack)) for document in documents) <= ROLE_POLICIES


def test_every_policy_has_the_version_in_which_variables_mean_something(stack: Stack) -> None:
    """SAM adds policies without one, for dead letters: they name one action and one queue."""
    policies = [one for one in walk(stack.source["Resources"]) if "Statement" in one]
    assert len(policies) > len(FUNCTIONS)
    assert [policy for policy in policies if policy.get("Version") != "2012-10-17"] == []


def test_names_fit_into_arns() -> None:
    assert len(_physical("ScheduleFunction", "AWS::Lambda::Function")) == 64
    assert _physical("Queue", "AWS::DynamoDB::Table").startswith("s" * 128 + "-Queue-")


def _size(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def _longest(parameter: Mapping[str, Any]) -> str:
    if "AllowedValues" in parameter:
        return max(map(str, parameter["AllowedValues"]), key=len)
    return "x" * int(parameter.get("MaxLength", 64))  # the boundary has none, and no policy names it


def _physical(name: str, kind: str) -> str:
    longest = LONGEST_NAMES.get(kind, OTHERS)
    made = f"{PSEUDO['AWS::StackName']}-{name}-{'X' * 13}"[:longest]
    return _arn("sns", made) if kind == "AWS::SNS::Topic" else made


def _arn(service: str, resource: str) -> str:
    return f"arn:{PSEUDO['AWS::Partition']}:{service}:{PSEUDO['AWS::Region']}:{PSEUDO['AWS::AccountId']}:{resource}"


def _filled(value: Any, values: Mapping[str, str], stack: Stack) -> Any:
    """Returns the value as CloudFormation fills it in, with the longer side of each condition."""
    match value:
        case {"Ref": name}:
            return values[name]
        case {"Fn::GetAtt": [name, *_]}:
            return _arn("dynamodb", f"table/{values[name]}")  # as long as any
        case {"Fn::Select": [_, {"Fn::Split": [_, text]}]}:
            return _filled(text, values, stack)  # no part is longer
        case {"Fn::Sub": [text, names]}:
            return _filled({"Fn::Sub": text}, {**values, **_filled(names, values, stack)}, stack)
        case {"Fn::Sub": text}:
            return re.sub(r"\$\{([\w:]+)(\.\w+)?}", lambda found: _substituted(found, values), text)
        case {"Fn::If": [_, *sides]}:
            return max((_filled(side, values, stack) for side in sides if side != _NOTHING), key=_size)
        case {"Fn::Join": [separator, parts]}:
            return separator.join(str(_filled(part, values, stack)) for part in parts)
        case dict():
            return {name: _filled(inner, values, stack) for name, inner in value.items()}
        case list():
            return [_filled(inner, values, stack) for inner in value]
    return value


def _substituted(found: re.Match[str], values: Mapping[str, str]) -> str:
    return _arn("dynamodb", f"table/{values[found[1]]}") if found[2] else values[found[1]]
