"""Regular expressions that some text would take for ever: users choose the text, and everybody's queue would wait."""

from collections.abc import Iterator

from scheduler.policy.guardrails.rules import Rules
from scheduler.policy.guardrails.tags import RequiredTags
from scheduler.policy.pattern_cost import MOST_WAYS, ways_to_find, ways_to_match

_TAG_VALUE = 256  # characters, SageMaker's limit (aws-facts 2.30)
_FAILURE = 1024  # of a FailureReason (aws-facts 2.28), and as much is read of a line of a log
_TOO_SLOW = (
    "could take too long with some text: use fewer of * and +, none inside another, or bounds such as {1,8}"
    " (two * in a tag's pattern and one in a failure's are never too many)"
)


def slow_patterns(rules: Rules) -> Iterator[tuple[str, str]]:
    """Paths in the document, and what is wrong there."""
    for index, rule in enumerate(rules.rules):
        for key, wanted in rule.tags.items() if isinstance(rule, RequiredTags) else ():
            if wanted.pattern and ways_to_match(wanted.pattern, _TAG_VALUE) > MOST_WAYS:
                yield f"rules[{index}].tags.{key}.pattern", _TOO_SLOW
    for index, known in enumerate(rules.recovery.patterns):
        if ways_to_find(known.pattern, _FAILURE) > MOST_WAYS:
            yield f"recovery.patterns[{index}].pattern", _TOO_SLOW
