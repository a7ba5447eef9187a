"""Which alarms there should be: for each attempt that trains on GPUs one over all its hosts, ten hosts an alarm."""

from collections.abc import Iterable, Iterator
from itertools import islice

from scheduler.core.capacity.gpus import fewest_gpus_of
from scheduler.core.idle_gpus.gpu_metrics import AlarmKind, GpuAlarm
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.live_job import LiveJob

#: A metric-math alarm may use ten metrics, and not one more (aws-facts 3.3).
HOSTS_PER_ALARM = 10


def prefix_of(mark: str) -> str:
    """What the names of all our alarms begin with: permissions are limited to it."""
    return f"sagequeue-{mark}/"


def wanted_alarms(live: Iterable[LiveJob], rule: IdleRule, mark: str) -> dict[str, GpuAlarm]:
    """By name. Every attempt has names of its own, so an alarm of an earlier one never speaks for a later one."""
    attempts = [one.attempt for one in live if is_watched(one)]
    kinds = [kind for kind in AlarmKind if _is_on(kind, rule)]
    return {alarm.name: alarm for attempt in attempts for kind in kinds for alarm in _alarms(attempt, kind, rule, mark)}


def is_watched(live: LiveJob) -> bool:
    """Only while it trains: before, there are no metrics (aws-facts 3.2)."""
    observation = live.attempt.observation
    trains = observation is not None and not observation.is_terminal and observation.secondary_status == "Training"
    return trains and not live.job.idle_exempt and fewest_gpus_of(live.attempt.demand) > 0


def parse_alarm_name(alarm_name: str, mark: str) -> tuple[str, AlarmKind] | None:
    """None for an alarm that is not ours."""
    mine, attempt_name, kind, *_ = (*alarm_name.split("/"), "", "", "")
    if f"{mine}/" != prefix_of(mark) or kind not in set(AlarmKind):
        return None
    return attempt_name, AlarmKind(kind)


def hosts_of(attempt: Attempt) -> tuple[str, ...]:
    """As CloudWatch knows them (aws-facts 3.1)."""
    count = sum(count for _, count in attempt.demand.counts)
    return tuple(f"{attempt.name}/algo-{number}" for number in range(1, count + 1))


def _is_on(kind: AlarmKind, rule: IdleRule) -> bool:
    return rule.action is not IdleAction.OFF if kind is AlarmKind.IDLE else rule.minimum_utilisation > 0


def _alarms(attempt: Attempt, kind: AlarmKind, rule: IdleRule, mark: str) -> Iterator[GpuAlarm]:
    share, statistic = {
        AlarmKind.IDLE: (rule.percent, "Maximum"),
        AlarmKind.UNDERUSED: (rule.minimum_utilisation, "Average"),
    }[kind]
    hosts = iter(hosts_of(attempt))
    number = 0
    while some := tuple(islice(hosts, HOSTS_PER_ALARM)):
        number += 1
        yield GpuAlarm(
            name=f"{prefix_of(mark)}{attempt.name}/{kind}/{number}",
            hosts=some,
            threshold=share * fewest_gpus_of(attempt.demand),
            statistic=statistic,
            period=rule.period,
            periods=rule.periods,
        )
