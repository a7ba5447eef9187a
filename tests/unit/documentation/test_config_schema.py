"""The JSON schema of configuration files is up to date, and accepts what the queue accepts."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi.config_schema import PATHS, document, text

from scheduler.config.editor import ConfigEditor
from scheduler.core.configuration.kinds import SCHEMAS
from scheduler.core.sections.file_text import read_file
from scheduler.core.sections.schema import BadSection, ConfigKind
from support.builders.configurations import a_configuration, a_reader, a_stack
from support.checkout import CHECKOUT
from support.memory.clock import FixedClock

EXAMPLE = CHECKOUT / "examples" / "config.yaml"
VALIDATOR = Draft202012Validator(document())
_YAML = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples() -> Iterator[Any]:
    """Yields each YAML block of the docs that has sections."""
    for page in (CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))):
        for number, block in enumerate(_YAML.findall(page.read_text())):
            value = read_file(block).value
            if value.keys() & {*ConfigKind}:
                yield pytest.param(value, id=f"{page.stem}-{number}")


def errors(sections: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(sections)]


@pytest.mark.parametrize("path", PATHS, ids=["docs", "client"])
def test_the_file_is_as_the_code_makes_it(path: Path) -> None:
    assert path.read_text() == text(), "make openapi writes it anew"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(document())
    assert list(document()["properties"]) == [*ConfigKind]


@pytest.mark.parametrize("kind", ConfigKind)
def test_it_accepts_the_defaults_that_show_prints(kind: ConfigKind) -> None:
    assert errors(json.loads(json.dumps({kind: SCHEMAS[kind].full_default}))) == []


def test_it_accepts_the_example_which_has_every_section() -> None:
    sections = read_file(EXAMPLE.read_text()).value
    assert errors(sections) == []
    assert sections.keys() == {*ConfigKind}


def test_the_queue_accepts_the_example_without_a_warning() -> None:
    editor = ConfigEditor(
        a_reader(stack=a_stack("ml.g5.xlarge=8,ml.p4d.24xlarge=2")), FixedClock(datetime(2026, 11, 23, tzinfo=UTC))
    )
    change = editor.change(EXAMPLE.read_text())
    assert ({*change.changed}, change.warnings) == ({*ConfigKind}, ())


@pytest.mark.parametrize("sections", [*examples()])
def test_it_accepts_the_sections_of_the_docs_as_the_queue_does(sections: dict[str, Any]) -> None:
    assert errors(sections) == []
    a_configuration(**sections)


RULE = {"name": "small", "kind": "instances_per_job", "most": 4}


@pytest.mark.parametrize(
    "sections",
    [
        {"rule": {}},
        {"format": 1},
        {"rules": []},
        {"rules": {"rules": [{**RULE, "kind": "instances"}]}},
        {"rules": {"rules": [{**RULE, "at_most": 4}]}},
        {"rules": {"rules": [{"name": "small", "kind": "instances_per_job"}]}},
        {"rules": {"rules": [{**RULE, "most": "4"}]}},
        {"rules": {"rules": [{**RULE, "mode": "deny"}]}},
        {"policy": {"patience": 300}},
        {"policy": {"patience": "300"}},
        {"policy": {"patience": "5 minutes"}},
        {"policy": {"patience": ""}},
        {"policy": {"ordering": "random"}},
        {"callers": {"everybody": {}}},
        {"callers": [{"name": "a", "principals": ["assumed-role/Vision/ada"], "verbs": []}]},
        {"callers": [{"name": "a", "principals": ["*"], "verbs": ["config:rule"]}]},
        {"calendar": {"time_zone": "Berlin time"}},
        {"calendar": {"windows": [{"name": "a", "budget": {}, "weekly": ["friday - monday"]}]}},
        {"calendar": {"windows": [{"name": "a", "budget": {"ml.g5.xlarge": "4"}}]}},
        {"pools": [{"instance_type": "ml.g5.xlarge", "use": "always"}]},
        {"prices": {"as_of": "2026-11-22", "prices": [{"dollars_per_hour": 1}]}},
        {"spending": {"limits": [{"name": "a", "gpu_hours": "500"}]}},
        {"shares": {"vision": {"members": "*"}}},
        {"idle_gpus": {"window": "15m", "minutes": 15}},
        {"retries": {"treatments": {"unlucky": {"retries": 1}}}},
        {"retries": {"leaving_spot": {"allowed": "yes"}}},
        {"notices": {"owners": ["everything"]}},
    ],
    ids=str,
)
def test_it_refuses_what_the_queue_refuses(sections: dict[str, Any]) -> None:
    assert errors(sections)
    if sections.keys() <= {*ConfigKind}:
        with pytest.raises(BadSection):
            a_configuration(**sections)
