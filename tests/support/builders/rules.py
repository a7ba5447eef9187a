"""Builds rules, and the subjects that rules are applied to."""

import json
from datetime import UTC, datetime
from typing import Any

from scheduler.core.guardrails.document import validated
from scheduler.core.guardrails.rules import Rules, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.errors.refusals import Violation

TODAY = datetime(2026, 11, 21, tzinfo=UTC)


def a_rule(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"name": kind.replace("_", "-"), "kind": kind, **parameters}


def a_document(*rules: dict[str, Any], **members: Any) -> str:
    return json.dumps({"format": 1, "rules": list(rules), **members}, indent=1)


def the_rules(*rules: dict[str, Any], **members: Any) -> Rules:
    return validated(a_document(*rules, **members), TODAY)


def a_subject(request: dict[str, Any] | None = None, **changes: Any) -> Subject:
    return Subject(**{"name": "resnet", "request": request or {}, "owner": "ada", "team": "vision"} | changes)


def check(rules: Rules, subject: Subject) -> Verdict:
    return rules.check(subject, TODAY)


def fields_of(violations: tuple[Violation, ...]) -> list[str]:
    return [violation.field for violation in violations]
