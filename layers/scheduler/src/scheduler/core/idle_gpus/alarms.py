"""Computes the alarms for live attempts: each watched attempt has alarms that each cover up to ten hosts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scheduler.core.capacity.gpus import fewest_gpus_of
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.idle_gpus.watch import Watch, is_training, watched_since
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.work.kind import WorkKind

#: A metric-math alarm may use at most ten metrics (aws-facts 3.3).
HOSTS_PER_ALARM = 10


class AlarmKind(StrEnum):
    IDLE = "idle"
    UNDERUSED = "underused"
    HANG = "hang"
    NAN = "nan"  # no alarm: only the name of a check


class Metric(StrEnum):
    """SageMaker's metrics for a host. A metric is 100 for each busy GPU or busy core (aws-facts 3.1)."""

    GPU = "GPUUtilization"
    CPU = "CPUUtilization"


@dataclass(frozen=True, slots=True)
class UseAlarm:
    """A CloudWatch alarm over at most ten hosts of one attempt (aws-facts 3.3)."""

    name: str
    hosts: tuple[str, ...]
    metric: Metric
    threshold: float
    statistic: str
    period: int  # seconds
    periods: int


@dataclass(frozen=True, slots=True)
class AlarmState:
    name: str
    is_firing: bool
    alarm: UseAlarm | None  # its current state; None if it sends no message to the queue, or watches something else


def prefix_of(mark: str) -> str:
    """Returns the name prefix of all the queue's alarms. The queue's permissions are limited to this prefix."""
    return f"sagequeue-{mark}/"


def required_alarms(live: Iterable[LiveJob], rule: IdleRule, mark: str, now: datetime) -> dict[str, UseAlarm]:
    """Returns the alarms on idle and underused GPUs, by name."""
    kinds = []
    if rule.action is not IdleAction.OFF:
        kinds.append((AlarmKind.IDLE, rule.percent))
    if rule.minimum_utilisation > 0:
        kinds.append((AlarmKind.UNDERUSED, rule.minimum_utilisation))
    alarms = [
        alarm
        for attempt in (live_job.attempt for live_job in live if needs_gpu_alarms(live_job, rule, now))
        for kind, percent in kinds
        for alarm in alarms_of(attempt, kind, Metric.GPU, percent * fewest_gpus_of(attempt.demand), rule, mark)
    ]
    return {alarm.name: alarm for alarm in alarms}


def alarms_of(
    attempt: Attempt, kind: AlarmKind, metric: Metric, threshold: float, watch: Watch, mark: str
) -> Iterator[UseAlarm]:
    """Yields the alarms of one attempt.

    An alarm's name contains the attempt's name, so an old alarm never affects a later attempt. It also contains the
    rule's limits, so that a sweep replaces the alarms when operators change the rule.
    """
    hosts = hosts_of(attempt)
    for number, start in enumerate(range(0, len(hosts), HOSTS_PER_ALARM), start=1):
        yield UseAlarm(
            name=f"{prefix_of(mark)}{attempt.name}/{kind}/{number}/{threshold:g}-{watch.minutes}m",
            hosts=hosts[start : start + HOSTS_PER_ALARM],
            metric=metric,
            threshold=threshold,
            statistic="Average" if kind is AlarmKind.UNDERUSED else "Maximum",
            period=watch.period,
            periods=watch.periods,
        )


def needs_alarms(live: LiveJob, watch: Watch, now: datetime) -> bool:
    """Returns whether the attempt is watched. Only training jobs are: tuning jobs have no GPU metrics."""
    if live.job.spec.kind is not WorkKind.TRAINING:
        return False
    return is_training(live.attempt) and not _is_exempt(live, watch, now)


def needs_gpu_alarms(live: LiveJob, watch: Watch, now: datetime) -> bool:
    return needs_alarms(live, watch, now) and fewest_gpus_of(live.attempt.demand) > 0


def _is_exempt(live: LiveJob, watch: Watch, now: datetime) -> bool:
    is_exempt = live.job.options.idle_exempt
    end = watched_since(live.attempt, watch, is_exempt=is_exempt)
    return is_exempt and (end is None or now < end)


def parse_alarm_name(alarm_name: str, mark: str) -> tuple[str, AlarmKind] | None:
    """Returns the attempt's name and the kind of alarm, or None if the alarm is not the queue's."""
    own_prefix, attempt_name, kind, *_ = (*alarm_name.split("/"), "", "", "")
    if f"{own_prefix}/" != prefix_of(mark) or kind not in set(AlarmKind):
        return None
    return attempt_name, AlarmKind(kind)


def hosts_of(attempt: Attempt) -> tuple[str, ...]:
    """Returns the attempt's host names in CloudWatch (aws-facts 3.1)."""
    count = sum(count for _, count in attempt.demand.counts)
    return tuple(f"{attempt.name}/algo-{number}" for number in range(1, count + 1))
