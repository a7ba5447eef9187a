"""The schema of the section `rules`, the guardrails for jobs."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time
from typing import Any

from scheduler.core.guardrails.consistency import inconsistencies, slow_patterns
from scheduler.core.guardrails.kinds import (  # noqa: F401 - they register kinds
    access,
    approval,
    automl,
    capacity,
    defaults,
    tags,
)
from scheduler.core.guardrails.rules import KINDS, Rule, Rules
from scheduler.core.sections.patterns import PATTERNS
from scheduler.core.sections.schema import FieldProblem, Schema


def problems(rules: Rules) -> Iterator[FieldProblem]:
    """Yields patterns that are too slow, and contradictions between rules."""
    slow = list(slow_patterns(rules))
    yield from slow or inconsistencies(rules)  # this check uses the patterns, so it must not run with slow ones


def has_expired(rules: Rules, now: datetime) -> Iterator[FieldProblem]:
    """Yields a warning for each exemption that has expired."""
    for index, exemption in enumerate(rules.exemptions):
        if exemption.expires_at <= now:
            yield f"exemptions[{index}].expires_at", "has passed: renew the exemption or leave it out"


def _rule(values: Any, _: object) -> Rule:
    if not isinstance(values, dict):
        raise ValueError("must be an object")  # noqa: TRY004 - a problem of the section, reported like the others
    known = KINDS.get(str(values.get("kind")))
    if known is None:
        raise ValueError("kind", f"must be one of {', '.join(sorted(KINDS))}")
    return SCHEMA.converter.structure({key: value for key, value in values.items() if key != "kind"}, known)


def _moment(text: Any, _: object) -> datetime:
    """Returns the time; for a date, the end of that day."""
    with suppress(TypeError, ValueError):
        return datetime.combine(date.fromisoformat(text), time.max, UTC)
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


# The hook for Rule does not apply to its subclasses, which are structured as usual.
SCHEMA: Schema[Rules] = Schema(Rules, hooks={datetime: _moment, Rule: _rule, **PATTERNS})
