"""Reads which version of a document an operator means to replace."""

import re

from api.call import Call
from scheduler.errors.refusals import BadRequest


def replaced_version(call: Call) -> int | None:
    """Raises BadRequest."""
    text = call.query.get("replaces")
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,8}", text):
        remedy = "Pass the version that GET gave, or leave it out."
        raise BadRequest(f"{text[:20]!r} is not a version of the document", field="replaces", remedy=remedy)
    return int(text)
