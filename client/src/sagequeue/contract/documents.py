"""What operators lay down, whatever it is about."""

from typing import TypedDict


class Document(TypedDict):
    """What operators have laid down."""

    version: int  # 0: nobody has
    text: str
    changed_by: str | None
    changed_at: str | None


class Problem(TypedDict):
    line: int | None
    field: str
    message: str
