"""The operator's rules as they were given: as text, so that a line number means the same to everybody."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RulesDocument:
    """One version; the highest is in force, the others are its history."""

    version: int
    text: str  # JSON
    written_by: str  # the caller's ARN
    written_at: datetime
