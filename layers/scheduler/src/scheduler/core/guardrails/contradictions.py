"""What is wrong with rules that are right one by one."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from scheduler.core.guardrails.kinds.access import ExecutionRoles, Images, OutputPrefixes, lies_below
from scheduler.core.guardrails.kinds.capacity import InstanceTypes, MaxRuntime, Spot
from scheduler.core.guardrails.kinds.tags import RequiredTags
from scheduler.core.guardrails.rule import Mode, Rule
from scheduler.core.guardrails.rules import Rules
from scheduler.core.jobs.principal import names_session

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def contradictions(rules: Rules) -> Iterator[tuple[str, str]]:
    """Paths in the document, and what is wrong there."""
    yield from _odd_names(rules)
    yield from _exemptions_of_nothing(rules)
    yield from _named_sessions(rules)
    yield from _hopeless_tags(rules)
    enforced = [(index, rule) for index, rule in enumerate(rules.rules) if rule.mode is Mode.ENFORCE]
    for (_, first), (index, second) in combinations(enforced, 2):
        if first.applies_to == second.applies_to and _exclude_each_other(first, second):
            yield f"rules[{index}]", f"contradicts {first.name}: no job could keep both"


def _odd_names(rules: Rules) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for index, rule in enumerate(rules.rules):
        if not _NAME.fullmatch(rule.name):  # reasons, refusals and logs tell it
            yield f"rules[{index}].name", "must be 1 to 64 letters, digits, - and _"
        if rule.name in seen:
            yield f"rules[{index}].name", f"{rule.name!r} is the name of a rule above"
        seen.add(rule.name)


def _exemptions_of_nothing(rules: Rules) -> Iterator[tuple[str, str]]:
    names = {rule.name for rule in rules.rules}
    for index, exemption in enumerate(rules.exemptions):
        if exemption.jobs.is_everything:
            yield f"exemptions[{index}].jobs", "must say which jobs: by owner, team, name, instance_type or tags"
        for name in exemption.rules:
            if name not in names:
                yield f"exemptions[{index}].rules", f"{name!r} is not the name of a rule"


def _named_sessions(rules: Rules) -> Iterator[tuple[str, str]]:
    scopes = [(f"rules[{index}].applies_to", rule.applies_to) for index, rule in enumerate(rules.rules)]
    scopes += [(f"exemptions[{index}].jobs", exemption.jobs) for index, exemption in enumerate(rules.exemptions)]
    for path, scope in scopes:
        if scope.owner is not None and names_session(scope.owner):
            yield f"{path}.owner", "names a session, whose name its caller chooses: end it with /*"


def _hopeless_tags(rules: Rules) -> Iterator[tuple[str, str]]:
    for index, rule in enumerate(rules.rules):
        for key, wanted in rule.tags.items() if isinstance(rule, RequiredTags) else ():
            if wanted.is_hopeless:
                yield f"rules[{index}].tags.{key}.pattern", "matches none of the values"


def _exclude_each_other(first: Rule, second: Rule) -> bool:
    match first, second:
        case Spot(), Spot():
            return first.use is not second.use
        case MaxRuntime(), MaxRuntime():
            return first.at_least > second.at_most or second.at_least > first.at_most
        case InstanceTypes(), InstanceTypes():
            return _no_name_left(first.allowed, second.allowed)
        case ExecutionRoles(), ExecutionRoles():
            return _no_name_left(first.allowed, second.allowed)
        case Images(), Images():
            return _no_name_left(first.allowed, second.allowed)
        case OutputPrefixes(), OutputPrefixes():
            pairs = product(first.allowed, second.allowed)
            return not any(lies_below(one, other) or lies_below(other, one) for one, other in pairs)
        case RequiredTags(), RequiredTags():
            return any(_no_value_left(first, second, key) for key in first.tags.keys() & second.tags.keys())
    return False


def _no_name_left(allowed: Sequence[str], others: Sequence[str]) -> bool:
    """Whether no text is in both; who could say of patterns?"""
    are_names = not any("*" in one or "?" in one or "[" in one for one in (*allowed, *others))
    return are_names and not set(allowed) & set(others)


def _no_value_left(first: RequiredTags, second: RequiredTags, key: str) -> bool:
    values, others = first.tags[key].values, second.tags[key]
    return values is not None and others.values is not None and not any(others.allows(value) for value in values)
