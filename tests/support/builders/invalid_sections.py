"""Applies sections as operators do, and returns the messages about mistakes."""

import json
from typing import Any

import pytest

from scheduler.config.editor import Change, ConfigEditor
from scheduler.core.configuration.kinds import Stack
from scheduler.core.sections.schema import ConfigKind
from scheduler.errors.config_errors import BadConfig, Problem
from support.builders.configurations import a_reader
from support.memory.clock import FixedClock


def change_of(kind: ConfigKind, section: Any, stack: Stack | None = None, **others: Any) -> Change:
    """Returns the change that the section, given as plain data or text, would make.

    `others` are the current sections.
    """
    text = section if isinstance(section, str) else json.dumps(section)
    return ConfigEditor(a_reader(stack=stack, **others), FixedClock()).change(text, kind)


def problems_of(kind: ConfigKind, section: Any, stack: Stack | None = None, **others: Any) -> tuple[Problem, ...]:
    """Returns why the section is refused."""
    with pytest.raises(BadConfig) as refused:
        change_of(kind, section, stack, **others)
    return tuple(refused.value.problems)


def problem_of(
    kind: ConfigKind, section: str, good: str, bad: str, field: str, stack: Stack | None = None, **others: Any
) -> Problem:
    """Returns the problem of the field, such as `pools[0].use`, after `good` is replaced by `bad` in the text."""
    assert good in section
    problems = problems_of(kind, section.replace(good, bad, 1), stack, **others)
    (found,) = (problem for problem in problems if problem.field == field)
    return found
