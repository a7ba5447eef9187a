"""The alarms that live attempts need: each that trains on GPUs has alarms over all its hosts, ten hosts per alarm."""

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
    threshold: float  # of the metric GPUUtilization, which has 100 for each busy GPU of a host
    statistic: str
    period: int  # seconds
    periods: int


@dataclass(frozen=True, slots=True)
class AlarmState:
    name: str
    is_firing: bool
    alarm: GpuAlarm | None  # as it is now; None if it sends no message to the queue, or watches something else


def prefix_of(mark: str) -> str:
    """Returns the prefix of the names of all the queue's alarms, to which its permissions are limited."""
    return f"sagequeue-{mark}/"


def required_alarms(live: Iterable[LiveJob], rule: IdleRule, mark: str) -> dict[str, GpuAlarm]:
    """Returns the alarms by name. Names contain the attempt's, so an old alarm never acts on a later attempt.

    They contain the limits of the rule too, so that a sweep replaces the alarms when operators change it.
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
    """Returns whether the attempt needs alarms: only while it trains, since metrics begin then (aws-facts 3.2)."""
    observation = live.attempt.observation
    trains = observation is not None and not observation.is_terminal and observation.secondary_status == "Training"
    return trains and not live.job.options.idle_exempt and fewest_gpus_of(live.attempt.demand) > 0


def parse_alarm_name(alarm_name: str, mark: str) -> tuple[str, AlarmKind] | None:
    """Returns the attempt's name and the kind, or None if the alarm is not the queue's."""
    own_prefix, attempt_name, kind, *_ = (*alarm_name.split("/"), "", "", "")
    if f"{own_prefix}/" != prefix_of(mark) or kind not in set(AlarmKind):
        return None
    return attempt_name, AlarmKind(kind)


def hosts_of(attempt: Attempt) -> tuple[str, ...]:
    """Returns the names of its hosts in CloudWatch (aws-facts 3.1)."""
    count = sum(count for _, count in attempt.demand.counts)
    return tuple(f"{attempt.name}/algo-{number}" for number in range(1, count + 1))
