"""The files for CI systems follow their published schemas, as check-jsonschema ships them."""

import subprocess
from pathlib import Path

import pytest

from support.checkout import CHECKOUT

ACTION, WORKFLOW = CHECKOUT / "integrations/github/action.yml", CHECKOUT / "examples/github-actions.yml"
TEMPLATE, PIPELINE = CHECKOUT / "integrations/gitlab/train.gitlab-ci.yml", CHECKOUT / "examples/gitlab-ci.yml"
SCHEMAS = {ACTION: "github-actions", WORKFLOW: "github-workflows", TEMPLATE: "gitlab-ci", PIPELINE: "gitlab-ci"}


def follows(schema: str, text: str, folder: Path) -> bool:
    file = folder / "file.yml"
    file.write_text(text.replace("\n.sagequeue", "\nsagequeue"))  # the schema leaves hidden jobs unchecked
    options = ("--builtin-schema", f"vendor.{schema}", "--data-transform", "gitlab-ci")
    command = (CHECKOUT / ".venvs/schemas/bin/check-jsonschema", *options, file)
    return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603 - our own


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_a_file_follows_the_schema_of_its_tool(path: Path, tmp_path: Path) -> None:
    assert follows(SCHEMAS[path], path.read_text(), tmp_path)


@pytest.mark.parametrize(
    ("path", "known", "unknown"),
    [
        (ACTION, "using: composite", "using: shell"),
        (WORKFLOW, "steps:", "step:"),
        (TEMPLATE, "when: always", "when: ever"),
        (PIPELINE, "extends:", "extend:"),
    ],
    ids=["action", "workflow", "template", "pipeline"],
)
def test_the_schemas_refuse_mistakes(path: Path, known: str, unknown: str, tmp_path: Path) -> None:
    assert not follows(SCHEMAS[path], path.read_text().replace(known, unknown), tmp_path)
