"""The versions of an operator's document: its JSON, and the version that a call replaces."""

import re

from typing_extensions import TypedDict

from api.http.answers import Time
from api.http.call import Call
from api.http.views import time_view
from scheduler.core.documents.document import Document
from scheduler.errors.refusals import BadRequest


class DocumentAnswer(TypedDict):
    """The applied version of a document. Version 0 means that no operator has applied one."""

    version: int
    text: str
    changed_by: str | None
    changed_at: Time | None


def document_view(document: Document | None, default_text: str) -> DocumentAnswer:
    """Returns the JSON of the document; without one, that of version 0 with `default_text`."""
    if document is None:
        return {"version": 0, "text": default_text, "changed_by": None, "changed_at": None}
    return {
        "version": document.version,
        "text": document.text,
        "changed_by": document.written_by,
        "changed_at": time_view(document.written_at),
    }


def replaced_version(call: Call) -> int | None:
    """Returns the version that the caller wants to replace; None replaces any. Raises BadRequest."""
    text = call.query.get("replaces")
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,8}", text):
        remedy = "Pass the version that GET gave, or leave it out."
        raise BadRequest(f"{text[:20]!r} is not a version of the document", field="replaces", remedy=remedy)
    return int(text)
