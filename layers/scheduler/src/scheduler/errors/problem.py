"""What is wrong with a document that somebody wrote."""

from typing import NamedTuple


class Problem(NamedTuple):
    line: int | None  # from 1
    field: str
    message: str

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.field} {self.message}" if self.field else f"{place}{self.message}"
