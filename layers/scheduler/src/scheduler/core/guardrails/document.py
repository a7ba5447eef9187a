"""Parses the rules document, which has the guardrails for jobs."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from scheduler.core.documents.document import DocumentKind
from scheduler.core.documents.parser import DocumentParser, FieldProblem
from scheduler.core.guardrails.consistency import inconsistencies, slow_patterns
from scheduler.core.guardrails.kinds import access, capacity, tags  # noqa: F401 - they register kinds
from scheduler.core.guardrails.rules import KINDS, Rule, Rules

_MAX_PATTERN = 256


def validated(text: str, now: datetime) -> Rules:
    """Returns the rules of a new document, none of them contradictory, too slow or expired. Raises BadDocument."""
    # Patterns are checked first, before any is used.
    return _parser.validated(text, slow_patterns, lambda rules: (*inconsistencies(rules), *_expired(rules, now)))


def _expired(rules: Rules, now: datetime) -> Iterator[FieldProblem]:
    for index, exemption in enumerate(rules.exemptions):
        if exemption.expires_at <= now:
            yield f"exemptions[{index}].expires_at", "has passed: renew the exemption or leave it out"


def _rule(values: Any, _: object) -> Rule:
    if not isinstance(values, dict):
        raise ValueError("must be an object")  # noqa: TRY004 - a problem of the document, reported like the others
    known = KINDS.get(str(values.get("kind")))
    if known is None:
        raise ValueError("kind", f"must be one of {', '.join(sorted(KINDS))}")
    return _parser.converter.structure({key: value for key, value in values.items() if key != "kind"}, known)


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


_parser = DocumentParser(
    DocumentKind.RULES,
    Rules,
    lambda rules: rules,
    {datetime: _moment, Rule: _rule, re.Pattern[str]: _pattern},  # subclasses of Rule are structured as usual
)
#: Returns the rules of an applied document. Raises BadDocument.
rules_of = _parser.read
