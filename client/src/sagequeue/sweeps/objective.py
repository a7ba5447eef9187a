"""Finds the values of the objective in the log of a job."""

import re
from dataclasses import dataclass

from sagequeue.jobs.logs import LogLine

VALUE, STEP = "value", "step"


@dataclass(frozen=True, slots=True)
class Objective:
    """The regular expression for the objective. Its group `value`, or else its first group, finds the value."""

    pattern: re.Pattern[str]

    @property
    def value_group(self) -> str | int:
        return VALUE if VALUE in self.pattern.groupindex else 1

    @property
    def problem(self) -> str | None:
        """Returns why the expression can find no value, or None."""
        return None if self.pattern.groups else "has no group for the value, such as accuracy=([0-9.]+)"


class ObjectiveLog:
    """Reads the values of one job. Without a group `step`, the steps of each attempt are counted from 0."""

    def __init__(self, objective: Objective) -> None:
        self._objective = objective
        self._next_step = 0
        self.last: float | None = None

    def read(self, line: LogLine) -> tuple[int, float] | None:
        """Returns the step and the value in a line, if it has a value."""
        if line.is_marker:
            self._next_step = 0  # the next lines are those of another attempt
            return None
        found = self._objective.pattern.search(line.text)
        value = _number(found[self._objective.value_group]) if found else None
        if found is None or value is None:
            return None
        self.last = value
        given = _number(found[STEP]) if STEP in self._objective.pattern.groupindex else None
        step = self._next_step if given is None else max(0, int(given))
        self._next_step = step + 1
        return step, value


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
