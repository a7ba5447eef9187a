"""The files for CI systems fit each other, and store no key. tests/integration/ci runs their scripts."""

import re
from pathlib import Path
from typing import Any

import yaml

from support.checkout import CHECKOUT

ACTION, WORKFLOW = CHECKOUT / "integrations/github/action.yml", CHECKOUT / "examples/github-actions.yml"
TEMPLATE, PIPELINE = CHECKOUT / "integrations/gitlab/train.gitlab-ci.yml", CHECKOUT / "examples/gitlab-ci.yml"
FILES = (ACTION, WORKFLOW, TEMPLATE, PIPELINE)


def read(path: Path) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load(path.read_text())
    return found


def test_no_key_is_stored_and_no_expression_reaches_a_shell() -> None:
    assert read(WORKFLOW)["permissions"] == {"id-token": "write", "contents": "read", "pull-requests": "write"}
    assert [step["name"] for step in read(ACTION)["runs"]["steps"] if "${{" in step.get("run", "")] == []
    assert [path for path in FILES if re.search(r"secrets\.|AWS_SECRET_ACCESS_KEY", path.read_text())] == []


def test_the_workflow_sets_the_inputs_that_the_action_has() -> None:
    (job,) = read(WORKFLOW)["jobs"].values()
    (step,) = [step for step in job["steps"] if "integrations/github@" in step["uses"]]
    inputs = read(ACTION)["inputs"]
    assert step["with"].keys() <= inputs.keys()
    assert {name for name, one in inputs.items() if one.get("required")} <= step["with"].keys()


def test_every_action_has_its_version() -> None:
    (job,) = read(WORKFLOW)["jobs"].values()
    used = [step["uses"] for step in [*job["steps"], *read(ACTION)["runs"]["steps"]] if "uses" in step]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w-]+(/[\w-]+)+@v\d+(\.\d+)*", action)] == []


def test_the_pipeline_extends_the_template() -> None:
    assert read(PIPELINE)["train"]["extends"] in read(TEMPLATE)
