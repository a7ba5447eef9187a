"""Replays a trace with a start-up model. Reports the time that warm pools save, and their cost.

An attempt starts after five minutes on new instances, and after 20 seconds on a warm pool. Every attempt leaves its
instances in a pool, which ends after fixed minutes, or after a time that follows the arrivals of jobs with the same
key. A job can use the pools of jobs with the same group and count. The production planner holds, assigns and releases
the pools.

python -m benchmarks.scheduling.warm_pools --trace benchmarks/data/helios_week.sched.csv.gz --instances 96
"""

import argparse
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heappush
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Protocol, cast

from benchmarks.scheduling.engine import Decider, Engine, Progress
from benchmarks.scheduling.figures import delays
from benchmarks.scheduling.production import INSTANCE_TYPE, Production, time_of
from benchmarks.scheduling.trace import Submission, cut, read
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.plan import Launch, Plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.pool_rules import PoolRule, PoolRules, PoolUse
from scheduler.core.warm_pools.warm_pool import WarmPool

COLD, WARM = 300, 20
CHECKPOINT = 1800
#: GPUs of each instance of the trace.
GPUS = 8
#: Fixed times in minutes; 0 means no pools.
FIXED = (0, 1, 2, 5, 10, 20, 60)
#: Prices of an idle second in seconds of starting, for times that follow the arrivals.
IDLE_PRICES = (0.5, 1.0, 2.0)
#: The shortest and the longest time for which an adaptive pool is kept, in seconds. A waiting job can take over the
#: instances within the shortest time.
_SHORTEST, _LONGEST = 60, 3600
#: How many of a key's last gaps are remembered, and with how few the shortest time applies.
_MOST_GAPS, _MIN_GAPS = 20, 5
_POOL_ENDS = 3  # an event of the engine, after completions, submissions and timers


class KeepTime(Protocol):
    """Decides how long pools are kept."""

    def ended(self, key: str, now: int, /) -> int:
        """Returns the seconds for which the instances of an attempt with this key are kept."""

    def started(self, key: str, now: int, /) -> None: ...


@dataclass(frozen=True)
class Fixed:
    seconds: int

    def ended(self, _key: str, _now: int) -> int:
        return self.seconds

    def started(self, _key: str, _now: int) -> None:
        """Learns nothing."""


@dataclass
class Adaptive:
    """Keeps a pool for the time that would have been best for the last gaps of its key.

    A gap is the time from the end of an attempt until the start of the next job that could use its instances.
    """

    idle_price: float
    ends: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # not followed by a start yet
    gaps: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=_MOST_GAPS)))

    def ended(self, key: str, now: int) -> int:
        self._forget_old_ends(key, now)
        self.ends[key].append(now)
        gaps = self.gaps[key]
        return self._best(gaps) if len(gaps) >= _MIN_GAPS else _SHORTEST

    def started(self, key: str, now: int) -> None:
        self._forget_old_ends(key, now)
        if self.ends[key]:
            self.gaps[key].append(now - self.ends[key].pop())

    def _forget_old_ends(self, key: str, now: int) -> None:
        old = [end for end in self.ends[key] if now - end > _LONGEST]
        self.gaps[key].extend(inf for _ in old)
        del self.ends[key][: len(old)]

    def _best(self, gaps: Sequence[float]) -> int:
        """Returns the time with the largest savings after the cost of idle instances."""
        times = {_SHORTEST, *(int(gap) + 1 for gap in gaps if _SHORTEST <= gap < _LONGEST)}
        return max(sorted(times), key=lambda time: self._savings(time, gaps))

    def _savings(self, time: int, gaps: Sequence[float]) -> float:
        return sum((COLD - WARM) * (gap <= time) - self.idle_price * min(gap, time) for gap in gaps)


@dataclass(frozen=True, slots=True)
class KeptPool:
    """A warm pool: the job and attempt that left it, and the times at which it began and ends."""

    job: Progress
    attempt: int
    since: int
    until: int


@dataclass
class PoolEngine(Engine):
    keep: KeepTime = field(default_factory=lambda: Fixed(0))
    pools: list[KeptPool] = field(default_factory=list)
    warm_starts: int = 0
    starting: int = 0  # instance seconds of attempts that start
    retained: int = 0  # instance seconds of unused pools

    def __post_init__(self) -> None:
        super().__post_init__()
        self._startup: dict[int, int] = {}

    def start(self, job: Progress, now: int) -> None:
        self._start_after(COLD, job, now)

    def start_on(self, pool: KeptPool, job: Progress, now: int) -> None:
        self.release(pool, now)
        self.warm_starts += 1
        self._start_after(WARM, job, now)

    def release(self, pool: KeptPool, now: int) -> None:
        self.pools.remove(pool)
        count = pool.job.submission.instances
        self.free += count
        self.retained += (now - pool.since) * count

    def _start_after(self, seconds: int, job: Progress, now: int) -> None:
        self._startup[job.submission.index] = seconds
        self.starting += seconds * job.submission.instances
        self.keep.started(_key(job.submission), now)
        super().start(job, now)

    def _apply_events(self, now: int, decider: Decider) -> bool:
        for pool in [pool for pool in self.pools if pool.until <= now]:
            self.release(pool, now)
        return super()._apply_events(now, decider)

    def _close(self, job: Progress, now: int, reason: str, lost: int) -> None:
        super()._close(job, now, reason, lost)
        if seconds := self.keep.ended(_key(job.submission), now):
            self.free -= job.submission.instances
            self.pools.append(KeptPool(job, job.attempts, now, now + seconds))
            heappush(self._events, (now + seconds, _POOL_ENDS, job.submission.index, 0))

    def _restart_of(self, job: Progress) -> int:
        return self._startup[job.submission.index]


class Pooled(Production):
    """Runs the planner with a rule that keeps every instance in a pool."""

    def __init__(self, instances: int) -> None:
        super().__init__(instances, Policy(), CHECKPOINT)
        rule = PoolRule(instance_type=INSTANCE_TYPE, use=PoolUse.HOLD, minutes=_LONGEST // 60)
        self._rules = PoolRules({INSTANCE_TYPE: rule})
        self._engine: PoolEngine

    def decide(self, engine: Engine, now: int) -> None:
        self._engine = cast(PoolEngine, engine)
        super().decide(engine, now)

    def _job_of(self, submission: Submission, now: int) -> Job:
        job = super()._job_of(submission, now)
        return replace(job, spec=replace(job.spec, pool_key=_key(submission)))

    def _snapshot(self, free: Demand) -> Snapshot:
        pooled = sum(pool.job.submission.instances for pool in self._engine.pools)
        snapshot = super()._snapshot(Demand.of({INSTANCE_TYPE: free[INSTANCE_TYPE] + pooled}))
        pools = tuple(_record(pool) for pool in self._engine.pools)
        return replace(snapshot, pools=pools, pool_rules=self._rules)

    def _carry_out(self, decided: Plan, engine: Engine, now: int) -> None:
        for pool in decided.releases:
            self._engine.release(self._kept(pool), now)
        super()._carry_out(decided, engine, now)

    def _begin(self, launch: Launch, engine: Engine, now: int) -> None:
        if launch.pool is None:
            super()._begin(launch, engine, now)
        else:
            self._engine.start_on(self._kept(launch.pool), self._progress[launch.job.name], now)

    def _kept(self, pool: WarmPool) -> KeptPool:
        return next(kept for kept in self._engine.pools if _record(kept).name == pool.name)


@dataclass(frozen=True, slots=True)
class Row:
    kept: str
    mean_delay_h: float
    warm_percent: float
    starting: float  # GPU hours
    retained: float


def replay(trace: Path, days: tuple[int, int] | None, instances: int, kept: str) -> Row:
    submissions = cut(read(trace), *days) if days else read(trace)
    decider = Pooled(instances)
    keep = KEEP_TIMES[kept]()
    engine = PoolEngine(submissions, instances, COLD, CHECKPOINT, timers=decider.timers, keep=keep)
    rows = engine.run(decider)
    return Row(
        kept,
        fmean(delays(submissions, rows).values()) / 3600,
        100 * engine.warm_starts / len(rows),
        engine.starting * GPUS / 3600,
        engine.retained * GPUS / 3600,
    )


#: The times for which pools are kept, by name.
KEEP_TIMES: Mapping[str, Callable[[], KeepTime]] = {
    **{f"{minutes} min": partial(Fixed, minutes * 60) for minutes in FIXED},
    **{f"adaptive, idle × {price:g}": partial(Adaptive, price) for price in IDLE_PRICES},
}


def table(trace: Path, days: tuple[int, int] | None, instances: int, processes: int) -> str:
    with ProcessPoolExecutor(processes) as pool:
        rows = list(pool.map(partial(replay, trace, days, instances), KEEP_TIMES))
    names = "kept | mean delay, h | warm starts, % | GPU hours of starting | saved | retained"
    lines = [f"| {names} |", "|---|" + "---:|" * 5]
    for row in rows:
        hours = (row.starting, rows[0].starting - row.starting, row.retained)
        figures = " | ".join(f"{amount:,.0f}" for amount in (row.warm_percent, *hours))
        lines.append(f"| {row.kept} | {row.mean_delay_h:.2f} | {figures} |")
    return "\n".join(lines)


def _record(pool: KeptPool) -> WarmPool:
    submission = pool.job.submission
    return WarmPool(
        name=f"{submission.index}-{pool.attempt}",
        job_name=str(submission.index),
        demand=Demand.of({INSTANCE_TYPE: submission.instances}),
        instances_since=time_of(pool.since),
        pool_key=_key(submission),
    )


def _key(submission: Submission) -> str:
    """Returns the key of matching pools: a group is assumed to use one role, volume size and network."""
    return f"{submission.group}/{submission.instances}"


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.warm_pools", description=__doc__)
    parser.add_argument("--trace", type=Path, required=True, metavar="F")
    parser.add_argument("--instances", type=int, required=True, metavar="N")
    parser.add_argument("--days", type=int, nargs=2, metavar=("BEGIN", "END"))
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    options = parser.parse_args(arguments)
    days = tuple(options.days) if options.days else None
    sys.stdout.write(table(options.trace, days, options.instances, options.processes) + "\n")


if __name__ == "__main__":
    _main(sys.argv[1:])
