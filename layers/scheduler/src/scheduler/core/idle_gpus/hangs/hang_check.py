"""Decides whether an attempt hangs. Two signals must agree: its hosts are unused, and its log has no new line."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from scheduler.core.idle_gpus.hangs.activity import Activity
from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.idle_check import UseReading, are_complete


class HangFinding(StrEnum):
    USED = "used"  # some host is used, or data is missing
    LOGS = "logs"  # the hosts are unused, but the program writes log lines, or its log is unknown
    HUNG = "hung"


def are_unused(activity: Activity, readings: Sequence[UseReading], rule: HangRule) -> bool:
    """Returns whether every host was unused in every minute. A missing minute is no evidence."""
    is_used = any(reading.highest > activity.threshold for reading in readings)
    return not is_used and are_complete(readings, activity.hosts, rule)


def is_silent(last_line_at: datetime | None, rule: HangRule, now: datetime) -> bool:
    """Returns whether the last log line is too old. A log without lines, or that cannot be read, is no evidence."""
    return last_line_at is not None and now - last_line_at >= rule.window
