"""Measures the time and memory of one full plan, which considers every pending job.

python -m benchmarks.scheduling.planning_speed
"""

import sys
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from time import process_time

from benchmarks.scheduling.figures import percentile
from benchmarks.scheduling.production import INSTANCE_TYPE, job_of
from benchmarks.scheduling.trace import Submission
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot

#: Numbers of waiting jobs.
PENDING = (10_000, 100_000)
_NOW = datetime(2026, 1, 8, tzinfo=UTC)
_RUNNING = 400
_QUEUES = 4
_PLANS = 100


def p99_milliseconds(ordering: Ordering) -> tuple[float, float]:
    """Returns the p99 of plans for random queues of both lengths, in CPU time, which other work does not affect."""
    short, long = PENDING
    return _p99_milliseconds(short, ordering), _p99_milliseconds(long, ordering)


def peak_megabytes(pending: int) -> float:
    """Returns the peak memory of a plan without its snapshot, as Python measures it."""
    snapshot = _snapshot(pending, Ordering.FIFO, Random(0))  # noqa: S311 - no secret
    tracemalloc.start()
    plan(snapshot, _NOW)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 2**20


def _p99_milliseconds(pending: int, ordering: Ordering) -> float:
    snapshots = [_snapshot(pending, ordering, Random(seed)) for seed in range(_QUEUES)]  # noqa: S311 - no secret
    return percentile([_milliseconds(snapshot) for snapshot in snapshots for _ in range(_PLANS // _QUEUES)], 99)


def _milliseconds(snapshot: Snapshot) -> float:
    began = process_time()
    plan(snapshot, _NOW)
    return 1000 * (process_time() - began)


def _snapshot(pending: int, ordering: Ordering, random: Random) -> Snapshot:
    jobs = _jobs(random)
    live = tuple(_live(next(jobs)) for _ in range(_RUNNING))
    # Only two instances are free: the planner must find the fitting jobs among thousands of others.
    held = sum(job.attempt.demand[INSTANCE_TYPE] for job in live)
    budget = Budget(Demand.of({INSTANCE_TYPE: held + 2}), (INSTANCE_TYPE,))
    return Snapshot(budget, live, tuple(next(jobs) for _ in range(pending)), Policy(ordering=ordering))


def _live(job: Job) -> LiveJob:
    attempt = Attempt(f"{job.name}-sq-1", job.name, 1, job.spec.demand, job.submitted_at, created=True)
    return LiveJob(replace(job, status=replace(job.status, state=JobState.RUNNING, attempts=1)), attempt)


def _jobs(random: Random) -> Iterator[Job]:
    index = 0
    while True:
        submission = Submission(
            index=index,
            submit=0,
            duration=0,
            instances=random.choice([1, 1, 1, 2, 4, 8]),
            priority=random.randrange(3),
            max_runtime=random.choice([900, 1800, 3600, 7200, 14_400, 28_800, 86_400, 172_800]),
            user=f"u{random.randrange(200):03d}",
            group="",
        )
        yield job_of(submission, _NOW - timedelta(seconds=random.randrange(6 * 86_400)), checkpoint_interval=1800)
        index += 1


def _main() -> None:
    for ordering in Ordering:
        for pending, milliseconds in zip(PENDING, p99_milliseconds(ordering), strict=True):
            sys.stdout.write(f"{pending:,} pending, {_RUNNING} running, {ordering}: p99 {milliseconds:.0f} ms\n")
    for pending in PENDING:
        sys.stdout.write(f"{pending:,} pending: {peak_megabytes(pending):.0f} MB\n")


if __name__ == "__main__":
    _main()
