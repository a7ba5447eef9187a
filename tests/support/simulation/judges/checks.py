"""What was checked, how often, and the error of a check that fails."""

from collections import Counter
from dataclasses import dataclass, field


class Violation(AssertionError):
    """An invariant does not hold."""


@dataclass
class Checks:
    counts: Counter[str] = field(default_factory=Counter)  # by the invariant's number in aws-facts 6b
    _failed: Violation | None = None

    def check(self, number: str, holds: bool, message: str, *about: object) -> None:
        """Raises Violation. `about` fills the braces of a message that takes long to spell."""
        self.counts[number] += 1
        if not holds:
            # The first tells: that a function ended with it is no news.
            self._failed = self._failed or Violation(f"{number}: {message.format(*about) if about else message}")
            raise self._failed

    def repeat(self) -> None:
        """Raise again what failed within a call of our functions: an error of theirs may have taken its place."""
        if self._failed is not None:
            raise self._failed
