"""Chooses the metric that shows whether an attempt's program is working, and computes the alarms on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from scheduler.core.capacity.gpus import fewest_gpus_of, has_trainium, instances_with_gpus
from scheduler.core.idle_gpus.alarms import AlarmKind, Metric, UseAlarm, alarms_of, needs_alarms, prefix_of
from scheduler.core.idle_gpus.hangs.hang_rule import HangAction, HangRule
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.live_job import LiveJob


@dataclass(frozen=True, slots=True)
class Activity:
    """A metric, the value up to which a host counts as unused, and the number of hosts that have the metric."""

    metric: Metric
    threshold: float
    hosts: int


def activity_of(attempt: Attempt, rule: HangRule) -> Activity | None:
    """Returns the metric of the attempt's hosts; None if no metric shows whether they work, as on Trainium."""
    if gpus := fewest_gpus_of(attempt.demand):
        return Activity(Metric.GPU, rule.gpu_percent * gpus, instances_with_gpus(attempt.demand))
    if has_trainium(attempt.demand):
        return None
    hosts = sum(count for _, count in attempt.demand.counts)
    return Activity(Metric.CPU, rule.cpu_percent, hosts)


def required_alarms(live: Iterable[LiveJob], rule: HangRule, mark: str, now: datetime) -> dict[str, UseAlarm]:
    """Returns the alarms by name. They start checks of the log: reading logs in every sweep would be too expensive."""
    if rule.action is HangAction.OFF:
        return {}
    activities = [
        (live_job.attempt, activity)
        for live_job in live
        if needs_alarms(live_job, rule, now) and (activity := activity_of(live_job.attempt, rule))
    ]
    alarms = [
        alarm
        for attempt, activity in activities
        for alarm in alarms_of(attempt, AlarmKind.HANG, activity.metric, activity.threshold, rule, mark)
    ]
    return {alarm.name: alarm for alarm in alarms}


def checks_by_log(live: Iterable[LiveJob], rule: HangRule, mark: str, now: datetime) -> list[str]:
    """Returns checks, named like alarms, for attempts without such a metric. Only a sweep can start these checks."""
    if rule.action is HangAction.OFF:
        return []
    return [
        f"{prefix_of(mark)}{live_job.attempt.name}/{AlarmKind.HANG}"
        for live_job in live
        if needs_alarms(live_job, rule, now) and activity_of(live_job.attempt, rule) is None
    ]
