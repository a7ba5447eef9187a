"""Decides from the log whether an attempt's loss is NaN, and names the checks that a sweep makes."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from scheduler.core.idle_gpus.alarms import AlarmKind, needs_alarms, prefix_of
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanAction, NanRule
from scheduler.core.jobs.live_job import LiveJob


class NanFinding(StrEnum):
    NUMBER = "number"  # some loss is a number, even an infinite one
    NAN = "nan"
    UNKNOWN = "unknown"  # the log has too few losses, or could not be read


def nan_finding(hosts: Sequence[Sequence[str]], rule: NanRule, *, is_warned: bool) -> NanFinding:
    """Decides from each host's last log lines. Hosts that write no loss do not count.

    Before the warning, each host's most recent losses count. After the warning, only later lines count, and a single
    loss that is not NaN shows that the program recovered.
    """
    losses = [found for lines in hosts if (found := _losses_in(lines, rule))]
    counted = losses if is_warned else [found[-rule.values :] for found in losses]
    if any(not _is_nan(loss) for found in counted for loss in found):
        return NanFinding.NUMBER
    is_enough = bool(counted) and all(len(found) >= rule.values for found in counted)
    return NanFinding.NAN if is_enough else NanFinding.UNKNOWN


def checks_of(live: Iterable[LiveJob], rule: NanRule, mark: str, now: datetime) -> list[str]:
    """Returns checks, named like alarms, for all watched attempts. Only a sweep can start these checks."""
    if rule.action is NanAction.OFF:
        return []
    return [
        f"{prefix_of(mark)}{live_job.attempt.name}/{AlarmKind.NAN}"
        for live_job in live
        if needs_alarms(live_job, rule, now)
    ]


def _losses_in(lines: Iterable[str], rule: NanRule) -> list[str]:
    return [found[1] for line in lines for found in rule.pattern.finditer(line) if found[1] is not None]


def _is_nan(loss: str) -> bool:
    return loss.strip("+-").lower() == "nan"
