"""Computes the alarms of live attempts: each attempt that trains on GPUs has alarms, each over up to ten hosts."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scheduler.core.capacity.gpus import fewest_gpus_of
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.live_job import LiveJob

#: A metric-math alarm may use at most ten metrics (aws-facts 3.3).
HOSTS_PER_ALARM = 10


class AlarmKind(StrEnum):
    IDLE = "idle"
    UNDERUSED = "underused"


@dataclass(frozen=True, slots=True)
class GpuAlarm:
    """A CloudWatch alarm over at most ten hosts of one attempt (aws-facts 3.3)."""

    name: str
    hosts: tuple[str, ...]
    threshold: float  # of the metric GPUUtilization, which counts 100 for each busy GPU of a host
    statistic: str
    period: int  # seconds
    periods: int


@dataclass(frozen=True, slots=True)
class AlarmState:
    name: str
    is_firing: bool
    alarm: GpuAlarm | None  # as it is now; None if it sends no message to the queue, or watches something else


def prefix_of(mark: str) -> str:
    """Returns the name prefix of all the queue's alarms. The queue's permissions are limited to it."""
    return f"sagequeue-{mark}/"


def required_alarms(live: Iterable[LiveJob], rule: IdleRule, mark: str) -> dict[str, GpuAlarm]:
    """Returns the alarms by name. A name contains the attempt's name, so an old alarm never affects a later attempt.

    It also contains the rule's limits, so that a sweep replaces the alarms when operators change the rule.
    """
    attempts = [live_job.attempt for live_job in live if needs_alarms(live_job)]
    kinds = []
    if rule.action is not IdleAction.OFF:
        kinds.append((AlarmKind.IDLE, rule.percent, "Maximum"))
    if rule.minimum_utilisation > 0:
        kinds.append((AlarmKind.UNDERUSED, rule.minimum_utilisation, "Average"))
    alarms = [
        GpuAlarm(
            name=f"{prefix_of(mark)}{attempt.name}/{kind}/{number}/{share:g}-{rule.minutes}m",
            hosts=hosts_of(attempt)[start : start + HOSTS_PER_ALARM],
            threshold=share * fewest_gpus_of(attempt.demand),
            statistic=statistic,
            period=rule.period,
            periods=rule.periods,
        )
        for attempt in attempts
        for kind, share, statistic in kinds
        for number, start in enumerate(range(0, len(hosts_of(attempt)), HOSTS_PER_ALARM), start=1)
    ]
    return {alarm.name: alarm for alarm in alarms}


def needs_alarms(live: LiveJob) -> bool:
    """Returns whether the attempt needs alarms: only while it trains, since its metrics begin then (aws-facts 3.2)."""
    observation = live.attempt.observation
    trains = observation is not None and not observation.is_terminal and observation.secondary_status == "Training"
    return trains and not live.job.options.idle_exempt and fewest_gpus_of(live.attempt.demand) > 0


def parse_alarm_name(alarm_name: str, mark: str) -> tuple[str, AlarmKind] | None:
    """Returns the attempt's name and the kind of alarm, or None if the alarm is not the queue's."""
    own_prefix, attempt_name, kind, *_ = (*alarm_name.split("/"), "", "", "")
    if f"{own_prefix}/" != prefix_of(mark) or kind not in set(AlarmKind):
        return None
    return attempt_name, AlarmKind(kind)


def hosts_of(attempt: Attempt) -> tuple[str, ...]:
    """Returns the names of the attempt's hosts in CloudWatch (aws-facts 3.1)."""
    count = sum(count for _, count in attempt.demand.counts)
    return tuple(f"{attempt.name}/algo-{number}" for number in range(1, count + 1))
