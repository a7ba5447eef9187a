"""The YAML that the client writes is read by the queue as what it was."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.config.config_views import config_view
from sagequeue.tables.config import yaml_text
from scheduler.config.editor import ConfigEditor
from scheduler.core.sections.file_text import read_file
from scheduler.core.sections.schema import ConfigKind
from support.builders.configurations import a_reader, a_stack
from support.checkout import CHECKOUT
from support.memory.clock import FixedClock

# The queue's files hold no NUL and no halves of surrogate pairs.
_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
_PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS,
    lambda below: st.lists(below) | st.dictionaries(_TEXTS, below),
    max_leaves=10,
)


@given(st.dictionaries(_TEXTS, _PLAIN, min_size=1))
def test_the_queue_reads_what_was_written(content: dict[str, Any]) -> None:
    assert read_file(yaml_text(content)).value == content


@pytest.mark.parametrize(
    "text",
    [
        "off",
        "yes",
        "012",
        "1e5",
        "NaN",
        "Infinity",
        "5",
        "0.5",
        "1_000",
        "~",
        "",
        "2026-11-22",
        "<<",
        "=",
        "5:30",
        "*",
        "&a",
    ],
)
def test_texts_that_look_like_something_else_stay_texts(text: str) -> None:
    assert read_file(yaml_text({"key": [text], text: 1})).value == {"key": [text], text: 1}


@pytest.mark.parametrize("text", ["5m", "1h30m", "10.0.0.1", "role/Vision", "ml.g5.xlarge", "enforce"])
def test_ordinary_texts_have_no_quotes(text: str) -> None:
    assert yaml_text({"key": text}) == f"key: {text}\n"


def test_what_show_prints_of_the_example_can_be_applied_again_without_a_change() -> None:
    editor = ConfigEditor(a_reader(stack=a_stack("ml.g5.xlarge=8,ml.p4d.24xlarge=2")), FixedClock())
    applied = editor.apply(editor.change((CHECKOUT / "examples" / "config.yaml").read_text()), "ada")
    shown = config_view(applied, {*ConfigKind})["sections"]
    assert editor.change(yaml_text(json.loads(json.dumps(shown)))).changed == ()
