"""What operators lay down as a document: as text, so that a line number means the same to everybody."""

from datetime import datetime
from enum import StrEnum

from attrs import frozen


class DocumentKind(StrEnum):
    """Each kind has versions of its own."""

    RULES = "rules"
    CALLERS = "callers"
    CALENDAR = "calendar"
    POOL_RULES = "pool_rules"
    PRICES = "prices"
    SPENDING = "spending"


@frozen
class Document:
    """One version; the highest is in force, the others are its history."""

    version: int
    text: str  # JSON
    written_by: str  # the caller's ARN
    written_at: datetime
