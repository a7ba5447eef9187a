"""Replays a trace with a start-up model. Reports the time that warm pools save, and their cost, for several caps.

An attempt starts after five minutes on new instances, and after 20 seconds on a warm pool. Every attempt leaves its
instances in a pool, which ends at the cap. A job can use the pools of jobs with the same group and count. The
production planner holds, assigns and releases the pools.

python -m benchmarks.scheduling.warm_pools --trace benchmarks/data/helios_week.sched.csv.gz --instances 96
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from heapq import heappush
from pathlib import Path
from statistics import fmean
from typing import cast

from benchmarks.scheduling.engine import Decider, Engine, Progress
from benchmarks.scheduling.figures import delays
from benchmarks.scheduling.production import INSTANCE_TYPE, Production, time_of
from benchmarks.scheduling.trace import Submission, read
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
#: The caps in minutes; 0 means no pools.
CAPS = (0, 2, 5, 10, 20, 60)
_POOL_ENDS = 3  # an event of the engine, after completions, submissions and timers


@dataclass(frozen=True, slots=True)
class KeptPool:
    """A warm pool: the job and attempt that left it, and the time."""

    job: Progress
    attempt: int
    since: int


@dataclass
class PoolEngine(Engine):
    keep: int = 0  # seconds
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
        super().start(job, now)

    def _apply_events(self, now: int, decider: Decider) -> bool:
        for pool in [pool for pool in self.pools if pool.since + self.keep <= now]:
            self.release(pool, now)
        return super()._apply_events(now, decider)

    def _close(self, job: Progress, now: int, reason: str, lost: int) -> None:
        super()._close(job, now, reason, lost)
        if self.keep:
            self.free -= job.submission.instances
            self.pools.append(KeptPool(job, job.attempts, now))
            heappush(self._events, (now + self.keep, _POOL_ENDS, job.submission.index, 0))

    def _restart_of(self, job: Progress) -> int:
        return self._startup[job.submission.index]


class Pooled(Production):
    """Runs the planner with a rule that keeps every instance in a pool."""

    def __init__(self, instances: int, minutes: int) -> None:
        super().__init__(instances, Policy(), CHECKPOINT)
        rule = PoolRule(instance_type=INSTANCE_TYPE, use=PoolUse.HOLD, minutes=minutes)
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
    minutes: int
    mean_delay_h: float
    warm_percent: float
    starting: float  # GPU hours
    retained: float


def replay(trace: Path, instances: int, minutes: int) -> Row:
    submissions = read(trace)
    decider = Pooled(instances, minutes)
    engine = PoolEngine(submissions, instances, COLD, CHECKPOINT, timers=decider.timers, keep=minutes * 60)
    rows = engine.run(decider)
    return Row(
        minutes,
        fmean(delays(submissions, rows).values()) / 3600,
        100 * engine.warm_starts / len(rows),
        engine.starting * GPUS / 3600,
        engine.retained * GPUS / 3600,
    )


def table(trace: Path, instances: int) -> str:
    with ProcessPoolExecutor() as processes:
        rows = list(processes.map(replay, *zip(*[(trace, instances, minutes) for minutes in CAPS], strict=True)))
    names = "cap, minutes | mean delay, h | warm starts, % | GPU hours of starting | saved | retained"
    lines = [f"| {names} |", "|---:" * 6 + "|"]
    for row in rows:
        hours = (row.starting, rows[0].starting - row.starting, row.retained)
        figures = " | ".join(f"{amount:,.0f}" for amount in (row.warm_percent, *hours))
        lines.append(f"| {row.minutes} | {row.mean_delay_h:.2f} | {figures} |")
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
    options = parser.parse_args(arguments)
    sys.stdout.write(table(options.trace, options.instances) + "\n")


if __name__ == "__main__":
    _main(sys.argv[1:])
