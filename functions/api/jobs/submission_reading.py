"""Reads a submission with options and a client's token beside the request."""

import re
from collections.abc import Mapping
from typing import Any

from api.http.bodies import members, required
from scheduler.errors.refusals import BadRequest
from scheduler.queue.submission import Submission

_TOKEN = re.compile(r"[!-~]{1,128}")


def submission_of(document: Mapping[str, Any]) -> Submission:
    """Raises BadRequest. The request itself and the options are checked by the queue."""
    given = members(document, {"request": dict, "options": dict, "client_token": str})
    return Submission(required(given, "request"), given.get("options", {}), _token(given.get("client_token")))


def _token(text: str | None) -> str | None:
    if text is not None and not _TOKEN.fullmatch(text):
        raise BadRequest(
            "client_token is not a token",
            field="client_token",
            remedy="Use 1 to 128 printable ASCII characters without blanks, such as a UUID.",
        )
    return text
