"""The logs of training jobs in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class MemoryLogs:
    lines: dict[str, Sequence[str]] = field(default_factory=dict)  # by attempt

    def last_lines(self, attempt_name: str) -> Sequence[str]:
        return self.lines.get(attempt_name, ())
