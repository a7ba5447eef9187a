"""What was checked, how often, and the error of a check that fails."""

from collections import Counter
from dataclasses import dataclass, field


class Violation(AssertionError):
    """An invariant does not hold."""


@dataclass
class Checks:
    counts: Counter[str] = field(default_factory=Counter)  # by the invariant's number in aws-facts 6b

    def check(self, number: str, holds: bool, message: str) -> None:
        """Raises Violation."""
        self.counts[number] += 1
        if not holds:
            raise Violation(f"{number}: {message}")
