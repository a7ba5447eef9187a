"""Answers CloudFormation's events for a custom resource."""

import json
from typing import Any

import urllib3

#: The most bytes that a whole answer may have.
MAX_BYTES = 4096
#: CloudFormation replaces a resource whose ID changes, so the ID never changes.
_RESOURCE_ID = "settings"
_PATIENT = urllib3.Retry(total=4, backoff_factor=0.5, status_forcelist=(500, 502, 503, 504))


def send(event: dict[str, Any], problem: str | None, log_stream: str) -> None:
    """Reports success, or the problem, to CloudFormation. Repeats the same answer if sending fails."""
    body = answer(event, problem, log_stream)
    url, headers = event["ResponseURL"], {"Content-Type": ""}  # the URL is signed for an empty content type
    urllib3.request("PUT", url, body=body, headers=headers, timeout=10, retries=_PATIENT)


def answer(event: dict[str, Any], problem: str | None, log_stream: str) -> bytes:
    """Returns the answer as JSON. Shortens the problem to fit. Always names the log stream with the full text."""
    names = {name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")}
    fixed = {"PhysicalResourceId": event.get("PhysicalResourceId", _RESOURCE_ID), **names}
    if problem is None:
        return _json(fixed | {"Status": "SUCCESS"})
    cut = len(problem)
    while True:
        text = problem if cut == len(problem) else f"{problem[:cut]}…"
        body = _json(fixed | {"Status": "FAILED", "Reason": f"{text} (log stream {log_stream})"})
        if len(body) <= MAX_BYTES or not cut:
            return body
        # A character takes up to twelve bytes in JSON.
        cut = max(0, cut - max(1, (len(body) - MAX_BYTES) // 12))


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()
