"""Builds rules, and the subjects to which rules are applied."""

from datetime import UTC, datetime
from typing import Any

from scheduler.core.guardrails.rules import Rules, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.errors.refusals import Violation
from support.builders.configurations import a_configuration

TODAY = datetime(2026, 11, 21, tzinfo=UTC)


def a_rule(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"name": kind.replace("_", "-"), "kind": kind, **parameters}


def rule_set(*chosen: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Returns the section with these rules, as operators write it."""
    return {"rules": [*chosen], **members}


def the_rules(*chosen: dict[str, Any], **members: Any) -> Rules:
    return a_configuration(rules=rule_set(*chosen, **members)).rules


def a_subject(request: dict[str, Any] | None = None, **changes: Any) -> Subject:
    return Subject(**{"name": "resnet", "request": request or {}, "owner": "ada", "team": "vision"} | changes)


def check(rules: Rules, subject: Subject) -> Verdict:
    return rules.check(subject, TODAY)


def fields_of(violations: tuple[Violation, ...]) -> list[str]:
    return [violation.field for violation in violations]
