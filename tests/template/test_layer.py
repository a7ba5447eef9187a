"""The layer ships the dependencies that the tests ran with, and the botocore data of the calls that functions make."""

import json
import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

from botocore import xform_name
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack, as_list, walk

ROOT = CHECKOUT
LAYER = ROOT / "layers" / "scheduler"
OPERATIONS: dict[str, list[str]] = json.loads((LAYER / "operations.json").read_text())
#: What a role allows and no function calls by that name.
NO_CALLS = {
    "dynamodb:ConditionCheckItem",  # a part of a transaction
    *(f"dynamodb:{read}" for read in ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")),  # by Lambda
    "s3:ListBucket",  # what S3 asks for before it says that an object is gone
    *(f"sqs:{call}" for call in ("DeleteMessage", "GetQueueAttributes", "ReceiveMessage")),  # by Lambda
    "sagemaker:AddTags",  # what SageMaker asks for when a training job comes with tags
}

#: Services with another name in policies than in botocore.
_IN_POLICIES = {"stepfunctions": "states"}


def test_the_layer_ships_the_versions_that_were_tested() -> None:
    assert _pins(LAYER / "pins.txt") <= _pins(ROOT / "requirements" / "dev.txt")


def test_everything_in_the_layer_is_pinned() -> None:
    pinned = {canonicalize_name(pin.partition("==")[0]) for pin in _pins(LAYER / "pins.txt")}
    project = tomllib.loads((LAYER / "pyproject.toml").read_text())["project"]
    assert pinned == _closure(project["dependencies"])


def test_sam_sees_no_requirements_file() -> None:
    """With one, `sam build` would demand the runtime's own Python on the user's PATH."""
    assert not [*ROOT.glob("functions/**/requirements.txt"), *ROOT.glob("layers/**/requirements.txt")]


def test_the_layer_has_the_service_of_every_client_that_the_functions_make() -> None:
    made = set(re.findall(r'\bclient\("([a-z0-9-]+)"', _code(LAYER / "src" / "scheduler" / "wiring", "*.py")))
    assert made == OPERATIONS.keys()


def test_the_layer_has_every_operation_that_the_functions_call() -> None:
    code = _code(LAYER / "src", "*.py") + _code(ROOT / "functions", "*.py")
    called = re.findall(r'\b_?(?:client|s3\(\))\.(?:get_paginator\("(\w+)"\)|(\w+)\()', code)
    assert {"".join(names) for names in called} == {xform_name(name) for names in OPERATIONS.values() for name in names}


def test_the_layer_has_every_operation_that_a_role_allows(stack: Stack) -> None:
    """So whatever the layer lacks, no function may call."""
    policies = [stack.of_type(kind) for kind in ("AWS::IAM::Role", "AWS::IAM::Policy")]
    allowing = [statement for statement in walk(policies) if statement.get("Effect") == "Allow"]
    actions = {action for statement in allowing for action in as_list(statement["Action"])}
    allowed = {action for action in actions if action.partition(":")[0] in {*OPERATIONS, *_IN_POLICIES.values()}}
    had = {f"{_IN_POLICIES.get(service, service)}:{name}" for service, names in OPERATIONS.items() for name in names}
    assert had ^ allowed == NO_CALLS | {"dynamodb:TransactWriteItems"}  # its actions are those of its parts


def _code(folder: Path, pattern: str) -> str:
    return "\n".join(path.read_text() for path in folder.rglob(pattern))


def _pins(path: Path) -> set[str]:
    return set(path.read_text().split())


def _closure(dependencies: list[str]) -> set[str]:
    """Their names and, as installed here, those of what they depend on."""
    needed = {Requirement(text) for text in dependencies}
    names = {canonicalize_name(one.name) for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})}
    return names.union(*(_closure(requires(name) or []) for name in names))
