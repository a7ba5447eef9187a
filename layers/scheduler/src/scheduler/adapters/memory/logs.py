"""The logs of training jobs in memory."""

from collections.abc import Sequence

from attrs import define, field


@define(slots=False)
class MemoryLogs:
    lines: dict[str, Sequence[str]] = field(factory=dict)  # by attempt

    def last_lines(self, attempt_name: str) -> Sequence[str]:
        return self.lines.get(attempt_name, ())
