"""Regular expressions that some text would take for ever: users choose the text, and everybody's queue would wait."""

import re
from collections.abc import Callable, Iterator

from scheduler.core.documents.pattern_cost import MOST_WAYS, NotCountable, ways_to_find, ways_to_match
from scheduler.core.guardrails.kinds.tags import RequiredTags
from scheduler.core.guardrails.rules import Rules

_TAG_VALUE = 256  # characters, SageMaker's limit (aws-facts 2.30)
_FAILURE = 1024  # of a FailureReason (aws-facts 2.28), and as much is read of a line of a log
_TOO_SLOW = (
    "could take too long with some text: use fewer of * and +, none inside another, or bounds such as {1,8}"
    " (two * in a tag's pattern and one in a failure's are never too many)"
)
_UNKNOWN = (
    "cannot be judged with this version of Python, so it does not come into force: leave it out until a later release"
)


def slow_patterns(rules: Rules) -> Iterator[tuple[str, str]]:
    """Paths in the document, and what is wrong there."""
    for index, rule in enumerate(rules.rules):
        for key, wanted in rule.tags.items() if isinstance(rule, RequiredTags) else ():
            if wanted.pattern and (objection := _objection(ways_to_match, wanted.pattern, _TAG_VALUE)):
                yield f"rules[{index}].tags.{key}.pattern", objection
    for index, known in enumerate(rules.recovery.patterns):
        if objection := _objection(ways_to_find, known.pattern, _FAILURE):
            yield f"recovery.patterns[{index}].pattern", objection


def _objection(count: Callable[[re.Pattern[str], int], int], pattern: re.Pattern[str], length: int) -> str | None:
    try:
        return _TOO_SLOW if count(pattern, length) > MOST_WAYS else None
    except NotCountable:
        return _UNKNOWN
