"""The versions of operators' documents. Each is kept as text, so that line numbers match the operator's file."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class DocumentKind(StrEnum):
    RULES = "rules"
    CALLERS = "callers"
    CALENDAR = "calendar"
    POOL_RULES = "pool_rules"
    PRICES = "prices"
    SPENDING = "spending"


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a document. The highest version is the applied one."""

    version: int
    text: str  # JSON
    written_by: str  # the caller's ARN
    written_at: datetime
