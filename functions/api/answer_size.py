"""Limits the size of answers. Lambda returns at most 6 MB, and an answer is JSON text inside other JSON."""

import json
from collections.abc import Iterable
from typing import TypeVar

_View = TypeVar("_View")

#: Lambda refuses to return more bytes than this (aws-facts 4.5).
LARGEST_ANSWER = 6_291_556
#: The bytes that one list may take, so that the rest of the answer has room.
LARGEST_LIST = 4 * 1024 * 1024


def to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def bytes_of(response: object) -> int:
    """Returns how many bytes Lambda returns for a response with a text body."""
    return len(json.dumps(response))


def first_within(views: Iterable[_View]) -> list[_View]:
    """Returns as many entries from the start of a list as fit into one answer, at least one."""
    found: list[_View] = []
    size = 0
    for view in views:
        size += bytes_of(to_json(view))
        if found and size > LARGEST_LIST:
            break
        found.append(view)
    return found
