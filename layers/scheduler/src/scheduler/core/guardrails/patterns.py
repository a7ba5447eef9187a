"""Finds regular expressions that could take too long: users choose the text, and the whole queue would wait."""

import re
from collections.abc import Callable, Iterator

from scheduler.core.documents.pattern_cost import MOST_WAYS, NotCountable, ways_to_find, ways_to_match
from scheduler.core.guardrails.kinds.tags import RequiredTags
from scheduler.core.guardrails.rules import Rules

_TAG_VALUE = 256  # characters, SageMaker's limit (aws-facts 2.30)
_FAILURE = 1024  # characters of a FailureReason (aws-facts 2.28), and the most that is read of a log line
_TOO_SLOW = (
    "could take too long with some text: use fewer of * and +, none inside another, or bounds such as {1,8}"
    " (two * in a tag's pattern and one in a failure's are never too many)"
)
_UNKNOWN = "cannot be checked with this version of Python: leave it out until a later release"


def slow_patterns(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yields paths in the document, and the problem there."""
    for index, rule in enumerate(rules.rules):
        for key, required in rule.tags.items() if isinstance(rule, RequiredTags) else ():
            if required.pattern and (problem := _problem(ways_to_match, required.pattern, _TAG_VALUE)):
                yield f"rules[{index}].tags.{key}.pattern", problem
    for index, failure in enumerate(rules.recovery.patterns):
        if problem := _problem(ways_to_find, failure.pattern, _FAILURE):
            yield f"recovery.patterns[{index}].pattern", problem


def _problem(count: Callable[[re.Pattern[str], int], int], pattern: re.Pattern[str], length: int) -> str | None:
    try:
        return _TOO_SLOW if count(pattern, length) > MOST_WAYS else None
    except NotCountable:
        return _UNKNOWN
