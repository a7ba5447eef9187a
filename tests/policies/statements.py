"""Every statement of every policy that the templates have, and that the documents show."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.checkout import CHECKOUT
from support.stack.expanded_template import STACKS, TEMPLATE, Resource, Stack, as_list, walk

#: What `Ref` or the attribute `Arn` of a resource is, if a policy names it.
_ARNS = {
    "AWS::DynamoDB::Table": "arn:aws:dynamodb:eu-west-1:123456789012:table/{}",
    "AWS::Events::Rule": "arn:aws:events:eu-west-1:123456789012:rule/{}",
    "AWS::IAM::Role": "arn:aws:iam::123456789012:role/{}",
    "AWS::KMS::Key": "arn:aws:kms:eu-west-1:123456789012:key/{}",
    "AWS::Lambda::Function": "arn:aws:lambda:eu-west-1:123456789012:function:{}",
    "AWS::S3::Bucket": "arn:aws:s3:::{}",
    "AWS::SecretsManager::Secret": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:{}",
    "AWS::SNS::Topic": "arn:aws:sns:eu-west-1:123456789012:{}",
    "AWS::SQS::Queue": "arn:aws:sqs:eu-west-1:123456789012:{}",
}
#: What stands for other names: of the stack and of its parameters.
_VALUES = {
    "AWS::Partition": "aws",
    "AWS::Region": "eu-west-1",
    "AWS::AccountId": "123456789012",
    "AWS::StackId": "arn:aws:cloudformation:eu-west-1:123456789012:stack/sagequeue/id",
    "AWS::StackName": "sagequeue",
    "AWS::URLSuffix": "amazonaws.com",
    "Configuration": f"bucket/queue.yaml@sha256:{'5f' * 32}",
    "HostedPage": "https://page.example.com,eu-west-1_pool,eu-west-1:identity-pool",
}


@dataclass(frozen=True, slots=True)
class Statement:
    place: str
    effect: str
    actions: tuple[str, ...]
    resources: tuple[str, ...]  # none in a policy of trust
    keys: frozenset[str]
    is_of_a_role: bool  # else of a resource, or an example

    def __str__(self) -> str:
        return f"{self.place}: {' '.join(self.actions)}"


def of_templates() -> Iterator[Statement]:
    for template in (TEMPLATE, *sorted(STACKS.glob("*.yaml"))):
        resources = expanded(template)["Resources"]
        for name, resource in resources.items():
            for found in walk(resource):
                if {"Effect", "Action"} <= found.keys():
                    yield _statement(f"{template.name} {name}", found, resources, resource["Type"])


def expanded(template: Path) -> Resource:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_DEFAULT_REGION", "eu-west-1")  # SAM asks for it to tell the partition
        return Stack.load(template).expanded


def of_documents() -> Iterator[Statement]:
    for page in sorted(
        [*(CHECKOUT / "docs").rglob("*.md"), *CHECKOUT.glob("*.md"), *(CHECKOUT / "examples").rglob("*.md")]
    ):
        for block in re.findall(r"```json\n(\{\"Version.*?)```", page.read_text(), re.DOTALL):
            for found in as_list(json.loads(block)["Statement"]):
                yield _statement(page.name, found, {}, "AWS::IAM::Role")


def _statement(place: str, found: Mapping[str, Any], resources: Mapping[str, Any], kind: str) -> Statement:
    named = tuple(text for one in as_list(found.get("Resource", [])) for text in _texts(one, resources))
    keys = frozenset(key for asked in found.get("Condition", {}).values() for key in asked)
    is_of_a_role = kind in ("AWS::IAM::Role", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy")
    return Statement(place, found["Effect"], tuple(as_list(found["Action"])), named, keys, is_of_a_role)


def _texts(value: Any, resources: Mapping[str, Any]) -> list[str]:
    """Returns the texts that a value may have; names of resources and parameters stand for themselves."""
    match value:
        case list():
            return [text for one in value for text in _texts(one, resources)]
        case {"Fn::If": [_, one, other]}:
            return [*_texts(one, resources), *_texts(other, resources)]
        case {"Ref": name}:
            return [_named(name, resources)]
        case {"Fn::GetAtt": [name, "Arn"]}:
            return [_named(name, resources)]
        case {"Fn::Select": [index, {"Fn::Split": [separator, text]}]}:
            return [one.split(separator)[int(index)] for one in _texts(text, resources)]
        case {"Fn::Sub": [text, names]}:
            for name, value in names.items():
                (found,) = _texts(value, resources)
                text = text.replace(f"${{{name}}}", found)
            return _texts({"Fn::Sub": text}, resources)
        case {"Fn::Sub": text}:
            return [re.sub(r"\$\{([\w:]+)(?:\.Arn)?\}", lambda found: _named(found[1], resources), text)]
        case str() if value.startswith("execute-api:/"):  # API Gateway completes it
            return [value.replace("execute-api:", "arn:aws:execute-api:eu-west-1:123456789012:API")]
        case str():
            return [value]
    raise ValueError(f"this value is not supported: {value}")


def _named(name: str, resources: Mapping[str, Any]) -> str:
    kind = resources[name]["Type"] if name in resources else ""
    return _ARNS[kind].format(name) if kind in _ARNS else _VALUES.get(name, name)
