"""Draws programs that work in bursts or hang, and the noisy metrics and logs that CloudWatch has for them.

A program is a sequence of minutes. In each minute, the program's hosts are used or unused, and the program writes a
line or no line. Data points are lost or late, sometimes on all hosts for a while, as in an outage.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from random import Random

from scheduler.core.capacity.gpus import fewest_gpus_of, has_trainium
from scheduler.core.idle_gpus.alarms import AlarmState, Metric, UseAlarm
from scheduler.core.idle_gpus.hangs.hang_check import LastLine
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.core.jobs.demand import Demand
from scheduler.ports.clock import Clock
from support.builders.jobs import NOON
from support.simulation.submissions.noisy_losses import LossLog, losses_of

MINUTE = timedelta(minutes=1)
#: As many lines are read from each host's log.
_LINES = 50
#: How long each program runs, in minutes.
RUNS = 210
#: The longest pauses of working programs, in minutes: a little shorter than the watches for idle GPUs and for hangs.
_LONGEST_PAUSE, _LONGEST_SILENCE = 14, 16
#: Trainium is rare, because each sweep reads only a few logs of attempts that have no metric.
_INSTANCES = (
    *[{"ml.g5.xlarge": 1}, {"ml.g5.xlarge": 3}, {"ml.g5.12xlarge": 1}, {"ml.m5.large": 1}, {"ml.m5.large": 2}] * 6,
    {"ml.trn1.2xlarge": 1},
)


@dataclass(frozen=True)
class Program:
    """Describes a program by minutes since the start of its training."""

    name: str
    demand: Demand
    hangs_at: int | None  # minutes; None: it works to the end
    used: Sequence[bool]
    writes: Sequence[bool]
    losses: LossLog | None
    seed: int

    @property
    def attempt(self) -> str:
        return f"{self.name}-sq-1"

    @property
    def must_be_found(self) -> bool:
        return self.hangs_at is not None or (self.losses is not None and self.losses.diverges)

    @cached_property
    def points(self) -> dict[str, list[tuple[float, int] | None]]:
        """Returns the value of each host and minute, and the minute in which it arrives; None if it is lost."""
        random = Random(f"{self.seed}/{self.name}/points")  # noqa: S311 - metrics, not secrets
        outages = {minute for start in _outages(random) for minute in range(start, start + random.randint(3, 25))}
        hosts = sum(count for _, count in self.demand.counts)
        return {
            f"{self.attempt}/algo-{number}": list(self._points_of_host(random, outages))
            for number in range(1, hosts + 1)
        }

    def _points_of_host(self, random: Random, outages: set[int]) -> Iterator[tuple[float, int] | None]:
        loss = random.choice([0, 0.002, 0.005] if self.hangs_at else [0, 0.01, 0.1, 0.4, 0.7])
        latest = random.choice([0, 2, 4] if self.hangs_at else [0, 4, 9])
        for minute, is_used in enumerate(self.used):
            value = self._value(random, is_used=is_used)
            is_lost = minute in outages or random.random() < loss
            yield None if is_lost else (value, minute + 1 + random.randint(0, latest))

    def _value(self, random: Random, *, is_used: bool) -> float:
        gpus = fewest_gpus_of(self.demand)
        if gpus:
            return random.uniform(2, 100) * gpus if is_used else random.uniform(0, 0.99) * gpus
        return random.uniform(20, 180) if is_used else random.uniform(0, 4.9)


def program_of(seed: int, number: int) -> Program:
    random = Random(f"{seed}/{number}")  # noqa: S311 - programs, not secrets
    demand = Demand.of(random.choice(_INSTANCES))
    longest = _LONGEST_PAUSE if fewest_gpus_of(demand) else _LONGEST_SILENCE
    hangs_at = random.randrange(5, 60) if random.random() < 0.1 else None
    # Some programs write no line in a pause. Others write only in pauses, as an evaluation does, if they have metrics.
    writes_at_work = has_trainium(demand) or random.random() < 0.7
    used, writes = _course(random, longest, writes_at_work=writes_at_work)
    if hangs_at is not None:
        used[hangs_at:] = writes[hangs_at:] = [False] * (RUNS - hangs_at)
        writes[0] = True
    losses = None if hangs_at is not None else losses_of(Random(f"{seed}/{number}/losses"), writes)  # noqa: S311 - same
    return Program(f"job-{number}", demand, hangs_at, tuple(used), tuple(writes), losses, seed)


def _course(random: Random, longest: int, *, writes_at_work: bool) -> tuple[list[bool], list[bool]]:
    """Alternates work and pauses: the program loads data first, and later evaluates and uploads checkpoints."""
    works_for, pauses_for = random.choice([1, 3, 30]), random.choice([3, longest, longest])
    used: list[bool] = [False] * random.randint(0, longest)
    while len(used) < RUNS:
        used += [True] * random.randint(1, works_for) + [False] * random.randint(1, pauses_for)
    writes = [is_used is writes_at_work or random.random() < 0.05 for is_used in used]
    writes[0] = True
    return used[:RUNS], writes[:RUNS]


def _outages(random: Random) -> list[int]:
    return [random.randrange(RUNS) for _ in range(random.choice([0, 0, 0, 1, 3]))]


@dataclass
class NoisyCloudWatch:
    """Holds the metrics and logs of these programs, which all began to train at noon, and the alarms on them."""

    clock: Clock
    programs: dict[str, Program]  # by attempt
    alarms: dict[str, UseAlarm] = field(default_factory=dict)

    def put(self, alarm: UseAlarm) -> None:
        self.alarms[alarm.name] = alarm

    def delete(self, names: Sequence[str]) -> None:
        for name in names:
            self.alarms.pop(name, None)

    def list(self, prefix: str) -> tuple[AlarmState, ...]:  # noqa: ARG002 - it holds only the queue's alarms
        return tuple(AlarmState(name, self._is_firing(alarm), alarm) for name, alarm in self.alarms.items())

    def read(self, metric: Metric, hosts: Sequence[str], since: datetime, until: datetime) -> tuple[UseReading, ...]:
        return tuple(reading for host in hosts for reading in self._readings(metric, host, since, until))

    def last_lines(self, attempt_name: str, since: datetime | None = None) -> Sequence[Sequence[str]]:
        """Returns the last 50 lines of the first host that have arrived. The other hosts write nothing."""
        program = self.programs[attempt_name]
        if program.losses is None:
            return ()
        lines: list[str] = []
        for minute in range(self._minute() - 2, -1, -1):
            if len(lines) >= _LINES or (since and NOON + minute * MINUTE < since):
                break
            if program.writes[minute]:
                lines[:0] = program.losses.written_in(minute)
        return (tuple(lines[-_LINES:]),)

    def last_line(self, attempt: str, since: datetime, now: datetime) -> LastLine | None:
        """Returns the last line that has arrived: lines arrive a minute late."""
        program = self.programs[attempt]
        written = (minute for minute in range(self._minute() - 2, -1, -1) if program.writes[minute])
        last = next(written, None)
        return None if last is None or NOON + last * MINUTE < since else LastLine(NOON + last * MINUTE, now)

    def _readings(self, metric: Metric, host: str, since: datetime, until: datetime) -> Iterator[UseReading]:
        for minute in range((since - NOON) // MINUTE, (until - NOON) // MINUTE):
            for value in self._values(metric, host, minute, 1):
                yield UseReading(host, NOON + minute * MINUTE, value, value)

    def _values(self, metric: Metric, host: str, first: int, minutes: int) -> Sequence[float]:
        program = self.programs[host.partition("/")[0]]
        if metric is not _metric_of(program):
            return []
        points, now = program.points[host], self._minute()
        known = (points[minute] for minute in range(max(0, first), min(first + minutes, now)))
        return [point[0] for point in known if point is not None and point[1] <= now]

    def _is_firing(self, alarm: UseAlarm) -> bool:
        """Compares the latest periods first, because most programs have worked in one of them."""
        length = alarm.period // 60
        end = self._minute() // length * length
        for number in range(1, alarm.periods + 1):
            of_period = [self._values(alarm.metric, host, end - number * length, length) for host in alarm.hosts]
            values = [value for values in of_period for value in values]
            if not values or max(values) > alarm.threshold:
                return False
        return True

    def _minute(self) -> int:
        return (self.clock.now() - NOON) // MINUTE


def _metric_of(program: Program) -> Metric | None:
    if fewest_gpus_of(program.demand):
        return Metric.GPU
    return None if has_trainium(program.demand) else Metric.CPU
