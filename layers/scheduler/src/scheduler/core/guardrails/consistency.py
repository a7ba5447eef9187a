"""Finds problems in rules that are valid on their own: contradictions, duplicates, empty exemptions, slow patterns."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from scheduler.core.guardrails.kinds.access import OutputPrefixes, lies_below
from scheduler.core.guardrails.kinds.capacity import MaxRuntime, Spot
from scheduler.core.guardrails.kinds.tags import RequiredTags
from scheduler.core.guardrails.rules import AllowList, Mode, Rule, Rules
from scheduler.core.guardrails.subject import JobPattern
from scheduler.core.jobs.principal import matches_no_caller, names_session
from scheduler.core.sections.pattern_cost import slowness_to_match

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TAG_VALUE = 256  # characters, SageMaker's limit (aws-facts 2.30)
#: Limits the work: each rule is compared with every other, and each job is checked against all of them.
_MOST_RULES = 500


def inconsistencies(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yields the path and the text of each problem in the rules."""
    if len(rules.rules) > _MOST_RULES:
        yield "rules", f"must be at most {_MOST_RULES}"
        return
    names = [rule.name for rule in rules.rules]
    for index, name in enumerate(names):
        if not _NAME.fullmatch(name):  # reasons, refusals and logs show it
            yield f"rules[{index}].name", "must be 1 to 64 letters, digits, - and _"
        if name in names[:index]:
            yield f"rules[{index}].name", f"{name!r} is the name of a rule above"
    yield from _bad_exemptions(rules)
    yield from _bad_owners(rules)
    for index, rule in enumerate(rules.rules):
        for key, required in rule.tags.items() if isinstance(rule, RequiredTags) else ():
            if required.allows_nothing:
                yield f"rules[{index}].tags.{key}.pattern", "matches none of the values"
    enforced = [(index, rule) for index, rule in enumerate(rules.rules) if rule.mode is Mode.ENFORCE]
    for (_, first), (index, second) in combinations(enforced, 2):
        if first.applies_to == second.applies_to and _exclude_each_other(first, second):
            yield f"rules[{index}]", f"contradicts {first.name}: no job can satisfy both"


def _bad_exemptions(rules: Rules) -> Iterator[tuple[str, str]]:
    names = {rule.name for rule in rules.rules}
    for index, exemption in enumerate(rules.exemptions):
        if exemption.jobs == JobPattern():  # matches every job
            yield (
                f"exemptions[{index}].jobs",
                "must select jobs by owner, team, name, instance_type, remote_debug or tags",
            )
        for name in exemption.rules:
            if name not in names:
                yield f"exemptions[{index}].rules", f"{name!r} is not the name of a rule"


def _bad_owners(rules: Rules) -> Iterator[tuple[str, str]]:
    patterns = [(f"rules[{index}].applies_to", rule.applies_to) for index, rule in enumerate(rules.rules)]
    patterns += [(f"exemptions[{index}].jobs", exemption.jobs) for index, exemption in enumerate(rules.exemptions)]
    for path, pattern in patterns:
        if pattern.owner is not None and names_session(pattern.owner):
            yield f"{path}.owner", "names a session, and callers choose session names: end it with /*"
        elif pattern.owner is not None and matches_no_caller(pattern.owner):
            yield f"{path}.owner", "matches no caller's ARN: write *:assumed-role/NAME/* or *:user/NAME"


def _exclude_each_other(first: Rule, second: Rule) -> bool:
    match first, second:
        case Spot(), Spot():
            return first.use is not second.use
        case MaxRuntime(), MaxRuntime():
            return first.at_least > second.at_most or second.at_least > first.at_most
        case AllowList(), AllowList() if type(first) is type(second):
            return _share_no_name(first.allowed, second.allowed)
        case OutputPrefixes(), OutputPrefixes():
            pairs = product(first.allowed, second.allowed)
            return not any(lies_below(inner, outer) or lies_below(outer, inner) for inner, outer in pairs)
        case RequiredTags(), RequiredTags():
            return any(_share_no_value(first, second, key) for key in first.tags.keys() & second.tags.keys())
    return False


def _share_no_name(first: Sequence[str], second: Sequence[str]) -> bool:
    """Returns whether no text is in both lists. Patterns are not compared, so with any pattern it returns False."""
    are_names = not any("*" in text or "?" in text or "[" in text for text in (*first, *second))
    return are_names and not set(first) & set(second)


def _share_no_value(first: RequiredTags, second: RequiredTags, key: str) -> bool:
    values, other_tag = first.tags[key].values, second.tags[key]
    return values is not None and other_tag.values is not None and not any(map(other_tag.allows, values))


# Users choose the text that a rule's regular expression must match. A slow expression would delay the whole queue.
def slow_patterns(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yields the path and the problem of each pattern that is too slow."""
    for index, rule in enumerate(rules.rules):
        for key, required in rule.tags.items() if isinstance(rule, RequiredTags) else ():
            if required.pattern and (problem := slowness_to_match(required.pattern, _TAG_VALUE)):
                yield f"rules[{index}].tags.{key}.pattern", problem
