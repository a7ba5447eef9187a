"""Simulates CloudWatch's host metrics and alarms on the virtual clock."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from scheduler.core.idle_gpus.alarms import AlarmState, Metric, UseAlarm
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.ports.clock import Clock

#: A host's usage in percent at a moment, as CloudWatch counts it. None: no data point.
Usage = Callable[[str, datetime], float | None]


@dataclass
class CloudWatch:
    clock: Clock
    usage: Usage  # of GPUs
    alarms: dict[str, UseAlarm] = field(default_factory=dict)
    cpu_usage: Usage = lambda *_: None

    def put(self, alarm: UseAlarm) -> None:
        self.alarms[alarm.name] = alarm

    def delete(self, names: Sequence[str]) -> None:
        for name in names:
            self.alarms.pop(name, None)

    def list(self, prefix: str) -> tuple[AlarmState, ...]:
        mine = sorted(name for name in self.alarms if name.startswith(prefix))
        return tuple(AlarmState(name, self._is_firing(self.alarms[name]), self.alarms[name]) for name in mine)

    def read(
        self, metric: Metric, hosts: Sequence[str], since: datetime, until: datetime, period: int = 60
    ) -> tuple[UseReading, ...]:
        usage = self.usage if metric is Metric.GPU else self.cpu_usage
        return tuple(reading for host in hosts for reading in _readings(usage, host, since, until, period))

    def _is_firing(self, alarm: UseAlarm) -> bool:
        """Compares each full period's highest usage over all hosts with the threshold.

        A period without data is not idle.
        """
        now = self.clock.now()
        end = datetime.fromtimestamp(now.timestamp() // alarm.period * alarm.period, UTC)
        since = end - timedelta(seconds=alarm.period * alarm.periods)
        readings = self.read(alarm.metric, alarm.hosts, since, end, alarm.period)
        by_period: dict[datetime, list[float]] = {}
        for reading in readings:
            by_period.setdefault(reading.at, []).append(
                reading.highest if alarm.statistic == "Maximum" else reading.average
            )
        largest = [max(values) for values in by_period.values()]
        return len(largest) == alarm.periods and all(value <= alarm.threshold for value in largest)


def _readings(usage: Usage, host: str, since: datetime, until: datetime, period: int) -> Iterator[UseReading]:
    start = datetime.fromtimestamp(since.timestamp() // period * period, UTC)
    while start < until:
        minutes = [start + timedelta(minutes=minute) for minute in range(period // 60)]
        values = [value for at in minutes if at < until and (value := usage(host, at)) is not None]
        if values:
            yield UseReading(host, start, max(values), sum(values) / len(values))
        start += timedelta(seconds=period)
