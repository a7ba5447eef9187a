"""Operators' documents of every kind."""

from typing import TypedDict


class Document(TypedDict):
    """The current version of an operators' document."""

    version: int  # 0: the default, never applied
    text: str
    changed_by: str | None
    changed_at: str | None


class Problem(TypedDict):
    line: int | None
    field: str
    message: str
