"""The deployed stack is the one that users deploy, with the emulator's patch and nothing else."""

import json
from typing import Any

import boto3
import pytest
import yaml
from cfnlint.decode import decode_str

from local_account.emulator_patch import PATCH
from support.checkout import CHECKOUT
from support.stack.expanded_template import walk

#: What `sam build` and `sam deploy` replace or add: addresses of what they have built and stored.
ADDRESSES = {"CodeUri", "ContentUri", "Location", "TemplateURL"}

Template = dict[str, Any]


@pytest.fixture(scope="module")
def deployed(shell: dict[str, str]) -> Template:
    answer = boto3.client("cloudformation").get_template(StackName="sagequeue", TemplateStage="Original")
    return _read(answer["TemplateBody"])


@pytest.fixture(scope="module")
def written() -> Template:
    """As users deploy it."""
    return _read((CHECKOUT / "template.yaml").read_text())


def test_only_resources_of_the_patch_differ(deployed: Template, written: Template) -> None:
    patch = yaml.safe_load(PATCH.read_text())
    ours, theirs = deployed["Resources"], written["Resources"]
    assert ours.keys() == {*theirs, *patch["Add"]} - {*patch["Remove"]}
    added = {name: {**resource, "Metadata": {}} for name, resource in patch["Add"].items()}
    assert {name: ours[name] for name in added} == added
    assert {name: ours[name] for name in ours if name in theirs} == {
        name: theirs[name] for name in theirs if name in ours
    }


def test_nothing_but_resources_differs(deployed: Template, written: Template) -> None:
    assert {**deployed, "Resources": None} == {**written, "Resources": None}


def test_a_nested_stack_is_the_one_that_users_deploy(shell: dict[str, str]) -> None:
    cloudformation = boto3.client("cloudformation")
    resource = cloudformation.describe_stack_resource(StackName="sagequeue", LogicalResourceId="Observability")
    nested = resource["StackResourceDetail"]["PhysicalResourceId"]
    deployed = cloudformation.get_template(StackName=nested, TemplateStage="Original")["TemplateBody"]
    assert _read(deployed) == _read((CHECKOUT / "stacks" / "observability.yaml").read_text())


def _read(text: Any) -> Template:
    """Reads a template without addresses and without the notes of `sam build`."""
    template, problems = decode_str(text if isinstance(text, str) else yaml.safe_dump(text))
    assert problems == []
    read: Template = json.loads(json.dumps(template))  # without the linter's own types
    for mapping in walk(read):
        for address in mapping.keys() & ADDRESSES:
            del mapping[address]
    for resource in read["Resources"].values():
        notes = resource.pop("Metadata", {})
        resource["Metadata"] = {name: note for name, note in notes.items() if not name.startswith("Sam")}
    return read
