"""Counts checks of invariants, and raises the first that fails."""

from collections import Counter
from dataclasses import dataclass, field


class Violation(AssertionError):
    """Signals that an invariant does not hold."""


@dataclass
class Checks:
    counts: Counter[str] = field(default_factory=Counter)  # by the number of the invariant in aws-facts 6b
    _failed: Violation | None = None

    def check(self, number: str, holds: bool, message: str, *about: object) -> None:
        """Counts a check. Raises Violation if it fails. `about` fills the braces in the message, only on failure."""
        self.counts[number] += 1
        if not holds:
            # The first violation is the cause; the errors with which functions then end follow from it.
            self._failed = self._failed or Violation(f"{number}: {message.format(*about) if about else message}")
            raise self._failed

    def repeat(self) -> None:
        """Raises the first violation again, because another error in a function may have hidden it."""
        if self._failed is not None:
            raise self._failed
