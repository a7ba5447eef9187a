"""Keeps the logs of training jobs in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from scheduler.core.idle_gpus.hangs.hang_check import LastLine


@dataclass
class MemoryLogs:
    lines: dict[str, Sequence[str]] = field(default_factory=dict)  # by attempt
    lines_since: Callable[[str, datetime], Sequence[str]] = lambda *_: ()  # of one host, written since then
    written: Callable[[str], datetime | None] = lambda _attempt: None  # when each attempt wrote its last line

    def last_lines(self, attempt_name: str, since: datetime | None = None) -> Sequence[Sequence[str]]:
        lines = self.lines.get(attempt_name, ()) if since is None else self.lines_since(attempt_name, since)
        return (lines,)

    def last_line(self, attempt_name: str, since: datetime, now: datetime) -> LastLine | None:
        written = self.written(attempt_name)
        return LastLine(written, now) if written and written >= since else None
