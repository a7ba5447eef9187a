"""The schema of the section `nan`: when a loss counts as NaN, and how the queue reacts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scheduler.core.idle_gpus.nan_losses.nan_rule import LOSS, NanAction, NanRule
from scheduler.core.idle_gpus.watch_times import DAY, FOR_LATE_LINES, MINUTE, check_times
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.pattern_cost import slowness_to_find
from scheduler.core.sections.patterns import PATTERNS
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field

_LINE = 1024  # characters read from each log line
_MOST_VALUES = 50  # as many lines are read from each host's log


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """The rule as operators write it."""

    action: NanAction = NanAction.OFF
    window: Duration = 15 * MINUTE
    grace: Duration = 0
    exempt_for: Duration = DAY
    values: int = 5
    pattern: re.Pattern[str] = re.compile(LOSS)

    def __post_init__(self) -> None:
        check_field("values", 1 <= self.values <= _MOST_VALUES, f"must be 1 to {_MOST_VALUES}")
        check_field("pattern", self.pattern.groups == 1, "must have one group, which matches the number of the loss")
        check_times(self, shortest_window=FOR_LATE_LINES)

    def rule(self) -> NanRule:
        return NanRule(
            action=self.action,
            minutes=self.window // MINUTE,
            grace_minutes=self.grace // MINUTE,
            exempt_minutes=self.exempt_for // MINUTE,
            values=self.values,
            pattern=self.pattern,
        )


SCHEMA = Schema(_Content, _Content.rule, hooks=PATTERNS)


def problems(rule: NanRule) -> Iterator[FieldProblem]:
    """Yields a pattern that is too slow to search with, since users control the log that is searched."""
    if problem := slowness_to_find(rule.pattern, _LINE):
        yield "pattern", problem
