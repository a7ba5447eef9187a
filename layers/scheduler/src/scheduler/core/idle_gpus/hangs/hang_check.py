"""Decides whether an attempt hangs. Two signals must agree: its hosts are unused, and its log has no new line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scheduler.core.idle_gpus.hangs.activity import Activity
from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.idle_check import UseReading, are_complete


class HangFinding(StrEnum):
    USED = "used"  # some host is used, or data is missing
    LOGS = "logs"  # the hosts are unused, but the program writes log lines
    UNKNOWN = "unknown"  # the hosts are unused, and the log has no lines or could not be read
    HUNG = "hung"


@dataclass(frozen=True, slots=True)
class LastLine:
    """The last line that any host had written when all hosts' logs were read."""

    at: datetime
    read_at: datetime  # when the first log was read: hosts may have written other lines since


def are_unused(activity: Activity, readings: Sequence[UseReading], rule: HangRule) -> bool:
    """Returns whether every host was unused in every minute. A missing minute is no evidence."""
    is_used = any(reading.highest > activity.threshold for reading in readings)
    return not is_used and are_complete(readings, activity.hosts, rule)


def hang_finding(last: LastLine | None, rule: HangRule) -> HangFinding:
    """Decides from the last log line whether unused hosts hang. Without that line, there is no evidence."""
    if last is None:
        return HangFinding.UNKNOWN
    return HangFinding.HUNG if last.read_at - last.at >= rule.window else HangFinding.LOGS
