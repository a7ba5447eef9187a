"""Keeps the stop objects of attempts in memory."""

from dataclasses import dataclass, field

from scheduler.core.requests.stop_notice.variables import NoticeBucket
from scheduler.errors.internal import StopObjectsUnavailable


@dataclass
class MemoryStopObjects:
    """Implements the port `StopObjects`. While `is_down`, each call fails."""

    bucket: NoticeBucket = field(default_factory=lambda: NoticeBucket("queue-bodies", "us-east-1"))
    requests: dict[str, bytes] = field(default_factory=dict)  # to stop, by attempt
    acknowledgements: dict[str, bytes] = field(default_factory=dict)  # by attempt
    reads: list[str] = field(default_factory=list)  # the attempts whose acknowledgement was read
    is_down: bool = False

    def write(self, attempt_name: str, content: bytes) -> None:
        self._require_up(attempt_name)
        self.requests[attempt_name] = content

    def acknowledgement(self, attempt_name: str) -> bytes | None:
        self.reads.append(attempt_name)
        self._require_up(attempt_name)
        return self.acknowledgements.get(attempt_name)

    def _require_up(self, attempt_name: str) -> None:
        if self.is_down:
            raise StopObjectsUnavailable(attempt_name)
