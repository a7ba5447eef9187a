"""Decides whether an attempt really leaves its GPUs idle, from all its hosts and not only from the alarm's hosts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import fmean

from scheduler.core.capacity.gpus import fewest_gpus_of, instances_with_gpus
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.jobs.attempt import Attempt


@dataclass(frozen=True, slots=True)
class GpuReading:
    """The utilisation of one host's GPUs in one period."""

    host: str
    at: datetime  # the period's start
    highest: float
    average: float


class GpuUse(StrEnum):
    BUSY = "busy"
    IDLE = "idle"
    UNDERUSED = "underused"
    UNKNOWN = "unknown"  # data is missing, and missing data alone has no consequences


def window_start(rule: IdleRule, now: datetime) -> datetime:
    """Returns the start of the complete periods that a check covers. It also covers the current, incomplete period."""
    return now - timedelta(seconds=now.timestamp() % rule.period) - rule.window


def is_in_grace_period(attempt: Attempt, rule: IdleRule, now: datetime) -> bool:
    """Returns whether the checked window overlaps the grace period, in which programs load data and compile."""
    # After an interruption the program restarts, and with it the grace period. If it is unknown when it restarted, the
    # period counts from SageMaker's last change to the training job.
    observation = attempt.observation
    since = (observation.training_since or observation.modified_at) if observation else None
    return since is None or window_start(rule, now) < since + rule.grace


def gpu_use_of(attempt: Attempt, readings: Sequence[GpuReading], rule: IdleRule) -> GpuUse:
    """Returns how the GPUs were used, from the readings since `window_start`.

    A host without readings for some periods does not prove that GPUs are idle.
    """
    gpus = fewest_gpus_of(attempt.demand)
    if any(reading.highest > rule.percent * gpus for reading in readings):
        average = fmean(reading.average for reading in readings)
        return GpuUse.UNDERUSED if average < rule.minimum_utilisation * gpus else GpuUse.BUSY
    return GpuUse.IDLE if _is_complete(attempt, readings, rule) else GpuUse.UNKNOWN


def _is_complete(attempt: Attempt, readings: Sequence[GpuReading], rule: IdleRule) -> bool:
    periods: defaultdict[str, set[datetime]] = defaultdict(set)
    for reading in readings:
        periods[reading.host].add(reading.at)
    complete = [host for host, seen in periods.items() if len(seen) >= rule.periods]
    # Only the number of hosts is compared: a mixed cluster's hosts without GPUs have no readings to identify them.
    return len(complete) >= instances_with_gpus(attempt.demand)
