"""One problem in an operator's document."""

from typing import NamedTuple


class Problem(NamedTuple):
    line: int | None  # from 1
    field: str
    message: str

    def __str__(self) -> str:
        position = f"line {self.line}: " if self.line else ""
        return f"{position}{self.field} {self.message}" if self.field else f"{position}{self.message}"
