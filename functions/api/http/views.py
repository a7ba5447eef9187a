"""Makes the JSON that several answers share, and that of refusals (docs/api.md)."""

from datetime import UTC, datetime
from typing import Any

from api.http import answers
from scheduler.core.jobs.reason import Reason
from scheduler.errors.violation import Violation


def violation_view(violation: Violation) -> answers.Violation:
    return {
        "rule": violation.rule,
        "field": violation.field,
        "message": violation.message,
        "remedy": violation.remedy,
    }


def reason_view(reason: Reason) -> answers.Reason:
    return {"code": reason.code, "message": reason.message}


def error_view(code: str, message: str, field: str | None, remedy: str, **details: object) -> dict[str, Any]:
    return {"error": code, "message": message, "field": field, "remedy": remedy, **details}


def time_view(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def optional_time_view(moment: datetime | None) -> str | None:
    return time_view(moment) if moment else None
