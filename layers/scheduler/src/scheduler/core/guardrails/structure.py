"""Structures the parsed JSON of a rules document as Rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from cattrs import Converter

from scheduler.core.documents.strict_structure import strict_converter
from scheduler.core.guardrails.kinds import access, capacity, isolation, priority, tags  # noqa: F401 - they register kinds
from scheduler.core.guardrails.rule import KINDS, Rule
from scheduler.core.guardrails.rules import Exemption, FailurePolicy, Rules
from scheduler.core.retries.retry_policy import RetryPolicy

_MAX_PATTERN = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    rules: tuple[Rule, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    failing: FailurePolicy = field(default_factory=FailurePolicy)
    recovery: RetryPolicy = field(default_factory=RetryPolicy)


def structured(document: Mapping[str, Any]) -> Rules:
    """Returns the rules. Raises cattrs' BaseValidationError, in which every problem has its place."""
    content = _converter.structure(document, _Content)
    return Rules(rules=content.rules, exemptions=content.exemptions, failing=content.failing, recovery=content.recovery)


def _rule(values: Any, _: object) -> Rule:
    if not isinstance(values, dict):
        raise ValueError("must be an object")  # noqa: TRY004 - a problem of the document, reported like the others
    known = KINDS.get(str(values.get("kind")))
    if known is None:
        raise ValueError("kind", f"must be one of {', '.join(sorted(KINDS))}")
    return _converter.structure({key: value for key, value in values.items() if key != "kind"}, known)


def _pattern(text: Any, _: object) -> re.Pattern[str]:
    if not isinstance(text, str) or len(text) > _MAX_PATTERN:
        raise ValueError(f"must be a regular expression of at most {_MAX_PATTERN} characters")
    try:
        return re.compile(text)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from error


def _moment(text: Any, _: object) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _make_converter() -> Converter:
    converter = strict_converter()
    converter.register_structure_hook(datetime, _moment)
    converter.register_structure_hook_func(lambda kind: kind is Rule, _rule)  # subclasses are structured as usual
    converter.register_structure_hook_func(lambda kind: kind == re.Pattern[str], _pattern)
    return converter


_converter = _make_converter()
