"""Replays a trace in which some of the jobs that need several instances are elastic.

python -m benchmarks.scheduling.elastic   prints the table of elastic jobs in docs/explain/scheduling.md

An elastic job works on half of its instances at half the speed. Its time limit allows a run on the fewest instances.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.scheduling.engine import Engine, Progress
from benchmarks.scheduling.figures import Figures, figures
from benchmarks.scheduling.production import INSTANCE_TYPE, Production, name_of, time_of
from benchmarks.scheduling.trace import Submission, cut, read
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.demand import NOTHING, Demand, InstanceRange
from scheduler.core.jobs.job import MAX_MAX_RUNTIME, Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.plan import Launch, Plan, Preempt
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot

SHARES = (0, 25, 50)  # percent of the jobs that need several instances
_WEEK = Path(__file__).parents[1] / "data" / "helios_week.sched.csv.gz"
_MOST_WIDTHS = 5
_CHECKPOINT = 1800


@dataclass(frozen=True, slots=True)
class Result:
    figures: Figures
    narrowings: int
    growths: int
    stops: int  # preemptions after which a job waits for all its instances again


class ElasticProduction(Production):
    def __init__(self, instances: int, policy: Policy, share: int) -> None:
        super().__init__(instances, policy, _CHECKPOINT)
        self._share = share
        self._first_choice: dict[str, Job] = {}  # the elastic jobs of the backlog
        self._continuing: dict[str, Job] = {}  # apart from the backlog: each of them is a candidate
        self.narrowings = self.growths = self.stops = 0

    def _job_of(self, submission: Submission, now: int) -> Job:
        job = super()._job_of(submission, now)
        if is_elastic(submission, self._share):
            job = self._first_choice[job.name] = elastic(job, submission.instances)
        return job

    def _snapshot(self, free: Demand) -> Snapshot:
        found = super()._snapshot(free)
        return replace(found, queued=(*found.queued, *self._continuing.values()))

    def _needs_plan(self) -> bool:
        return True  # running jobs may grow while no job waits

    def _start(self, launch: Launch, engine: Engine, now: int) -> None:
        if waiting := self._first_choice.pop(launch.job.name, None):
            self._backlog.remove(waiting)
            self._backlog.add(launch.job)  # with the choice that it takes
        elif self._continuing.pop(launch.job.name, None):
            self._backlog.add(launch.job)
        super()._start(launch, engine, now)

    def _begin(self, launch: Launch, engine: Engine, now: int) -> None:
        engine.start_at_width(self._progress[launch.job.name], launch.job.spec.demand[INSTANCE_TYPE], now)

    def completed(self, progress: Progress) -> None:
        live = self._live[name_of(progress.submission)]
        if not live.job.choices:
            super().completed(progress)
            return
        # As in production: the training of all attempts, because fewer instances work for longer.
        seconds = live.job.trained_seconds + (time_of(progress.ended or 0) - live.started_at).total_seconds()
        self._record_end(live.job, seconds)

    def _carry_out(self, decided: Plan, engine: Engine, now: int) -> None:
        super()._carry_out(decided, engine, now)
        for entry in decided.growths:
            self.growths += 1
            job = self._stopped(entry.live, Outcome.REQUEUED, engine, now)
            waiting = replace(job.status, state=JobState.PENDING, reason=entry.reason)
            self._continuing[job.name] = replace(job, status=waiting)

    def _wait_again(self, job: Job, entry: Preempt) -> None:
        job = replace(job, status=replace(job.status, reason=entry.reason))
        if entry.continues_on != NOTHING:
            self.narrowings += 1
            self._continuing[job.name] = job.with_choice_for(entry.continues_on)
            return
        self.stops += 1
        if job.choices:
            job = self._first_choice[job.name] = job.as_choice(0)
        self._backlog.add(job)


def is_elastic(submission: Submission, share: int) -> bool:
    random = Random(f"elastic {submission.index}")  # noqa: S311 - a trace, not a secret
    return submission.instances > 1 and random.randrange(100) < share


def elastic(job: Job, instances: int) -> Job:
    """Returns the job with up to five widths in equal steps."""
    step = next(step for step in range(1, instances + 1) if not instances % step and instances // step <= _MOST_WIDTHS)
    widths = InstanceRange(step, instances, step)
    spec = replace(job.spec, max_runtime=min(MAX_MAX_RUNTIME, job.spec.max_runtime * instances // step))
    choices = tuple(
        replace(spec, demand=Demand.of({INSTANCE_TYPE: width}), choice=number)
        for number, width in enumerate(widths.widths)
    )
    return replace(job, spec=choices[0], choices=choices, options=replace(job.options, instances=widths))


def replay(trace: Path, size: int, days: tuple[int, int] | None, share: int) -> Result:
    submissions = cut(read(trace), *days) if days else read(trace)
    decider = ElasticProduction(size, Policy(ordering=Ordering.SHORTEST), share)
    rows = Engine(submissions, size, timers=decider.timers).run(decider)
    return Result(figures(submissions, rows, size), decider.narrowings, decider.growths, decider.stops)


def table(size: int, results: Sequence[Result]) -> str:
    lines = [
        "| instances | elastic, % | mean delay, h | high class, p95 of the delay, min | wide jobs, mean delay, h | lost, % | utilisation, % | narrowings | growths | stops |",  # noqa: E501
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += (_line(size, share, result) for share, result in zip(SHARES, results, strict=True))
    return "\n".join(lines)


def _line(size: int, share: int, result: Result) -> str:
    found = result.figures
    delays = f"{found.mean_delay_h:.2f} | {found.high_p95_delay_min:.1f} | {found.wide_mean_delay_h:.1f}"
    return (
        f"| {size} | {share} | {delays} | {found.lost_percent:.2f} "
        f"| {found.utilisation_percent:.1f} | {result.narrowings:,} | {result.growths:,} | {result.stops:,} |"
    )


def _main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.elastic", description=__doc__)
    parser.add_argument("--trace", type=Path, default=_WEEK, metavar="F")
    parser.add_argument("--instances", type=int, default=96, metavar="N")
    parser.add_argument("--days", type=int, nargs=2, metavar="N", help="the first day, and the day after the last")
    options = parser.parse_args()
    days = (options.days[0], options.days[1]) if options.days else None
    with ProcessPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(partial(replay, options.trace, options.instances, days), SHARES))
    sys.stdout.write(table(options.instances, results) + "\n")


if __name__ == "__main__":
    _main()
