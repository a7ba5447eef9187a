"""Decides whether an attempt really leaves its GPUs idle, based on all its hosts and not only on the alarm's hosts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import fmean

from scheduler.core.capacity.gpus import fewest_gpus_of, instances_with_gpus
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.idle_gpus.watch import Watch
from scheduler.core.jobs.attempt import Attempt

_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class UseReading:
    """A host's utilisation in one minute, by one metric."""

    host: str
    at: datetime  # the start of the minute
    highest: float
    average: float


class GpuUse(StrEnum):
    BUSY = "busy"
    IDLE = "idle"
    UNDERUSED = "underused"
    NOT_IDLE = "not-idle"  # some GPU was busy, but data is missing that could show more use than the average so far
    UNKNOWN = "unknown"  # data is missing, and missing data alone has no consequences


def gpu_use_of(attempt: Attempt, readings: Sequence[UseReading], rule: IdleRule) -> GpuUse:
    """Returns how the GPUs were used, from the readings since `window_start`.

    A host without readings for some minutes does not prove that GPUs are idle or underused. If the rule ignores idle
    GPUs, only their average use counts.
    """
    gpus = fewest_gpus_of(attempt.demand)
    # Only the number of hosts is compared: a mixed cluster's hosts without GPUs have no readings to identify them.
    is_complete = are_complete(readings, instances_with_gpus(attempt.demand), rule)
    is_idle = not any(reading.highest > rule.percent * gpus for reading in readings)
    if not readings or (is_idle and rule.action is not IdleAction.OFF):
        return GpuUse.IDLE if is_complete else GpuUse.UNKNOWN
    if fmean(reading.average for reading in readings) >= rule.minimum_utilisation * gpus:
        return GpuUse.BUSY
    return GpuUse.UNDERUSED if is_complete else GpuUse.NOT_IDLE


def are_complete(readings: Sequence[UseReading], hosts: int, watch: Watch) -> bool:
    """Returns whether this many hosts have readings for every minute of the window.

    With a longer metric period, one reading would make the period complete, although the missing readings may have
    shown a used host.
    """
    seen = Counter(at for _, at in {(reading.host, reading.at) for reading in readings})
    run, last = 0, None
    for at in sorted(at for at, count in seen.items() if count >= hosts):
        run = run + 1 if last and at - last <= _MINUTE else 1
        if run >= watch.minutes:
            return True
        last = at
    return False
