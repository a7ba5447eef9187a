"""Reads the account's logs: the logs of the servers and of `sam` from files, all other logs from CloudWatch Logs."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_logs import CloudWatchLogsClient


class Log(Protocol):
    @property
    def name(self) -> str: ...

    def read_new(self) -> list[str]:
        """Returns the lines since the previous call; the first call returns all lines."""


@dataclass
class FileLog:
    path: Path
    _position: int = 0

    @property
    def name(self) -> str:
        return self.path.stem

    def read_new(self) -> list[str]:
        with self.path.open(errors="replace") as file:
            file.seek(self._position)
            text = file.read()
            self._position = file.tell()
        return text.splitlines()


@dataclass
class GroupLog:
    group: str
    client: "CloudWatchLogsClient"
    _since: int = 0
    _newest: set[tuple[int, str]] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.group.rpartition("/")[2]

    def read_new(self) -> list[str]:
        pages = self.client.get_paginator("filter_log_events").paginate(logGroupName=self.group, startTime=self._since)
        # ministack's events have no eventId.
        events = [(event["timestamp"], event["message"]) for page in pages for event in page["events"]]
        new = [event for event in events if event not in self._newest]
        # The next call starts at the newest millisecond, to which events may still be added.
        self._since = max((timestamp for timestamp, _ in events), default=self._since)
        self._newest = {event for event in events if event[0] == self._since}
        return [message.rstrip() for _, message in new]


def find_logs(folder: Path, client: "CloudWatchLogsClient | None", part_of_name: str) -> list[Log]:
    """Lists the logs whose name contains this part. Without a client, skips the logs in CloudWatch Logs."""
    logs: list[Log] = [FileLog(path) for path in sorted(folder.glob("*.log"))]
    if client:
        pages = client.get_paginator("describe_log_groups").paginate()
        logs += [GroupLog(group["logGroupName"], client) for page in pages for group in page["logGroups"]]
    return [log for log in logs if part_of_name.lower() in log.name.lower()]


def tail(path: Path, lines: int = 25) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
