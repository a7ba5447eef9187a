"""The schema of workflow files, for editors, and the client's own reader agree."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from openapi import workflow_schema

from sagequeue.workflows.workflow_file import KNOWN
from support.checkout import CHECKOUT

SCHEMA = json.loads(workflow_schema.text())
EXAMPLE: Path = CHECKOUT / "examples/workflow.yaml"


def errors(workflow: object) -> list[str]:
    return [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(workflow)]


def workflow(**job: Any) -> dict[str, Any]:
    return {"name": "nightly", "jobs": {"prep": {"request": {}, **job}}}


def test_the_file_is_as_the_code_makes_it() -> None:
    assert workflow_schema.PATH.read_text() == workflow_schema.text(), "run `make openapi`"


def test_it_knows_the_members_that_the_client_reads() -> None:
    assert SCHEMA["$defs"]["Job"]["properties"].keys() == {*KNOWN}


def test_it_accepts_the_example() -> None:
    assert errors(yaml.safe_load(EXAMPLE.read_text())) == []


def test_the_page_shows_the_example_as_it_is() -> None:
    assert EXAMPLE.read_text() in (CHECKOUT / "docs/use/workflows.md").read_text()


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "nightly"},
        {"name": "nightly", "jobs": {}},
        {"name": "my workflow", "jobs": {"prep": {"request": {}}}},
        {"name": "nightly", "jobs": {"prep": {}}},
        workflow(afterok=["other"]),
        workflow(after_ok="other"),
        workflow(at_most=2),
        workflow(array=[]),
        workflow(array={"lr": []}),
        workflow(array={"lr": [1]}, at_most=0),
        workflow(options={"after_ok": ["other"]}),
        workflow(options={"priority": "high"}),
    ],
    ids=str,
)
def test_it_refuses_what_the_queue_or_the_client_refuses(wrong: dict[str, Any]) -> None:
    assert errors(wrong)
