"""The JSON of the REST API (docs/api.md), the contract with every client: what several answers share, and refusals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scheduler.core.documents.document import Document
from scheduler.core.jobs.reason import Reason
from scheduler.errors.violation import Violation

if TYPE_CHECKING:
    from api import answers


def document_view(document: Document | None, without: str) -> answers.Document:
    if document is None:
        return {"version": 0, "text": without, "changed_by": None, "changed_at": None}
    return {
        "version": document.version,
        "text": document.text,
        "changed_by": document.written_by,
        "changed_at": time_view(document.written_at),
    }


def violation_view(known: Violation) -> answers.Violation:
    return {"rule": known.rule, "field": known.field, "message": known.message, "remedy": known.remedy}


def reason_view(reason: Reason) -> answers.Reason:
    return {"code": reason.code, "message": reason.message}


def error_view(code: str, message: str, field: str | None, remedy: str, **details: object) -> dict[str, Any]:
    return {"error": code, "message": message, "field": field, "remedy": remedy, **details}


def time_view(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def optional_time_view(moment: datetime | None) -> str | None:
    return time_view(moment) if moment else None
