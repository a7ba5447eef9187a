"""Whether an attempt really leaves its GPUs idle: judged on all its hosts, whichever of its alarms went off."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import fmean

from scheduler.core.capacity.gpus import fewest_gpus_of, instances_with_gpus
from scheduler.core.idle_gpus.gpu_metrics import GpuReading, GpuUse
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.jobs.attempt import Attempt, Observation


def window_start(rule: IdleRule, now: datetime) -> datetime:
    """Of the whole periods that a check looks at; the one that is not over yet is looked at as well."""
    into_period = timedelta(seconds=now.timestamp() % rule.period)
    return now - into_period - rule.window


def is_in_grace_period(attempt: Attempt, rule: IdleRule, now: datetime) -> bool:
    """Whether the check would look into the time of grace, in which programs load data and compile.

    After an interruption the program starts anew, and so does its grace. An event may not say when that was:
    then it counts from the event.
    """
    observation = attempt.observation
    since = (observation.training_since or observation.modified_at) if observation else None
    return since is None or window_start(rule, now) < since + rule.grace


def has_restarted(observation: Observation, known: Observation) -> bool:
    """Whether the program was interrupted after what is known of it. One that has ended uploads, and begins nothing.

    An event may not say since when it trains; then it was so at the event's time.
    """
    if observation.training_since is None:
        return observation.secondary_status not in {"Training", "Uploading"}
    return observation.training_since > (known.training_since or known.modified_at)


def gpu_use_of(attempt: Attempt, readings: Sequence[GpuReading], rule: IdleRule) -> GpuUse:
    """What the readings since `window_start` say. A host of which a period is missing is no proof of anything."""
    gpus = fewest_gpus_of(attempt.demand)
    if any(reading.highest > rule.percent * gpus for reading in readings):
        return _used(readings, gpus, rule)
    return GpuUse.IDLE if _is_complete(attempt, readings, rule) else GpuUse.UNKNOWN


def _used(readings: Sequence[GpuReading], gpus: int, rule: IdleRule) -> GpuUse:
    average = fmean(reading.average for reading in readings)
    return GpuUse.UNDERUSED if average < rule.minimum_utilisation * gpus else GpuUse.BUSY


def _is_complete(attempt: Attempt, readings: Sequence[GpuReading], rule: IdleRule) -> bool:
    periods: defaultdict[str, set[datetime]] = defaultdict(set)
    for reading in readings:
        periods[reading.host].add(reading.at)
    told = [host for host, seen in periods.items() if len(seen) >= rule.periods]
    # Which of a mixed cluster's hosts are those without GPUs is not known: they have no readings at all.
    return len(told) >= instances_with_gpus(attempt.demand)
