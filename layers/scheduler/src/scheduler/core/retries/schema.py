"""Defines the schema of the section `retries`."""

from collections.abc import Iterator

from scheduler.core.retries.retry_policy import RetryPolicy
from scheduler.core.sections.pattern_cost import slowness_to_find
from scheduler.core.sections.patterns import PATTERNS
from scheduler.core.sections.schema import FieldProblem, Schema

_FAILURE = 1024  # characters in a FailureReason (aws-facts 2.28), and the most that are read from a log line

SCHEMA: Schema[RetryPolicy] = Schema(RetryPolicy, hooks=PATTERNS)


def problems(policy: RetryPolicy) -> Iterator[FieldProblem]:
    """Yields patterns that are too slow to search with, since users control the text that is searched."""
    for index, failure in enumerate(policy.patterns):
        if problem := slowness_to_find(failure.pattern, _FAILURE):
            yield f"patterns[{index}].pattern", problem
