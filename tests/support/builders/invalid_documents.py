"""Finds the message about one mistake in an operator's document."""

from collections.abc import Callable

import pytest

from scheduler.errors.config_errors import BadDocument, Problem


def problem_of(
    accepted: Callable[[str], object], refusal: type[BadDocument], document: str, good: str, bad: str, field: str
) -> Problem:
    """Returns the message about the field after `good` is replaced by `bad`."""
    assert good in document
    with pytest.raises(refusal) as refused:
        accepted(document.replace(good, bad, 1))
    (found,) = (problem for problem in refused.value.problems if problem.field == field)
    return found
