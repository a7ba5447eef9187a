"""The GitHub workflow, as far as GitHub is not needed; tests/e2e/jobs/test_examples.py runs its commands."""

import ast
import re
import sys
from typing import Any

import pytest
import yaml

from support.checkout import CHECKOUT

EXAMPLES = CHECKOUT / "examples"
TEXT = (EXAMPLES / "github-actions.yml").read_text()


@pytest.fixture(scope="module")
def workflow() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(TEXT)
    return read


@pytest.fixture(scope="module")
def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    (job,) = workflow["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


def test_it_starts_by_hand_only(workflow: dict[Any, Any]) -> None:
    assert workflow[True] == "workflow_dispatch"  # YAML 1.1 reads the key `on` as true; GitHub does not


def test_it_needs_no_keys_and_hands_no_expression_to_a_shell(
    workflow: dict[str, Any], steps: list[dict[str, Any]]
) -> None:
    assert workflow["permissions"] == {"id-token": "write", "contents": "read"}
    assert [step for step in steps if "${{" in step.get("run", "")] == []
    assert "secrets." not in TEXT


def test_every_action_has_its_version(steps: list[dict[str, Any]]) -> None:
    used = [step["uses"] for step in steps if "uses" in step]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@v\d+(\.\d+)*", action)] == []


def test_its_commands_are_those_that_are_tried_and_find_their_files(steps: list[dict[str, Any]]) -> None:
    commands = {step["name"]: step["run"] for step in steps if "run" in step}
    assert commands.keys() == {"Install", "Train", "Cancel"}
    named = re.findall(r"examples/\S+", commands["Train"] + " " + commands["Cancel"])
    assert [name for name in named if not EXAMPLES.parent.joinpath(name).is_file()] == []
    assert all('"$NAME"' in commands[step] for step in ("Train", "Cancel"))


def test_it_installs_what_its_script_imports(steps: list[dict[str, Any]]) -> None:
    (install,) = [step["run"] for step in steps if step.get("name") == "Install"]
    given = set(install.removeprefix("python3 -m pip install ").split())
    comes_along = {"urllib3"}  # with both
    assert given == imported("submit_and_wait.py") - comes_along


def imported(script: str) -> set[str]:
    """The packages beyond Python's own."""
    nodes = list(ast.walk(ast.parse((EXAMPLES / script).read_text())))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names
