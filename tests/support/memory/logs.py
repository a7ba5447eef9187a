"""The logs of training jobs in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class MemoryLogs:
    lines: dict[str, Sequence[str]] = field(default_factory=dict)  # by attempt
    last_line: Callable[[str], datetime | None] = lambda _attempt: None  # when each attempt wrote its last line

    def last_lines(self, attempt_name: str) -> Sequence[str]:
        return self.lines.get(attempt_name, ())

    def last_line_at(self, attempt_name: str, since: datetime) -> datetime | None:
        written = self.last_line(attempt_name)
        return written if written and written >= since else None
