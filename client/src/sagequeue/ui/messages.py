"""Requests of the browser and their answers, independent of sockets."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus


@dataclass(frozen=True, slots=True)
class PageRequest:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # names in lower case
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def json_answer(content: object, status: int = HTTPStatus.OK) -> Answer:
    return Answer(status, "application/json", json.dumps(content).encode())


def refusal(status: int, error: str, message: str, remedy: str, **details: object) -> Answer:
    """Returns a refusal in the form of the queue's refusals (docs/api.md)."""
    return json_answer({"error": error, "message": message, "remedy": remedy, **details}, status)
