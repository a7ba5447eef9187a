"""Replays windows of traces in which one owner submits a burst of short jobs: as single jobs, or as an array.

python -m benchmarks.scheduling.bursts --window PAI   prints a row for each form of the burst and each protection

The windows begin like those of `benchmarks.scheduling.teams`, and last one day. The burst comes after twelve hours,
with the priority of most jobs. As in production, at most WINDOW jobs in an array wait at once, and the age of each
counts from its creation. Past use counts.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import fmean

from benchmarks.scheduling.engine import Engine, Progress
from benchmarks.scheduling.figures import delays, percentile
from benchmarks.scheduling.owners import WithPastUse
from benchmarks.scheduling.teams import WINDOWS, Window
from benchmarks.scheduling.trace import Submission
from scheduler.core.jobs.team import OwnerOrder, Team
from scheduler.core.planner.policy import Policy
from scheduler.core.requests.arrays.job_array import WINDOW

_CHECKPOINT = 1800
_HOUR = 3600
_OWNER = "burst"
_AT = 12 * _HOUR
_JOBS = 600
_SECONDS = 1200
_PRIORITY = 1
#: Of the other jobs, only those submitted within this many hours after the burst count.
_AFTERWARDS = 6 * _HOUR


class Form(StrEnum):
    NONE = "none"
    JOBS = "single jobs"
    ARRAY = "an array"


@dataclass(frozen=True, slots=True)
class Variant:
    form: Form
    owners: OwnerOrder = OwnerOrder.TOGETHER
    most_running: int = 0  # jobs of one owner; 0: no cap

    @property
    def protection(self) -> str:
        cap = f"at most {self.most_running} running" if self.most_running else ""
        return cap or ("fair owners" if self.owners is OwnerOrder.FAIR else "none")


_CAP = 22  # jobs: a quarter of PAI's budget
VARIANTS = (
    Variant(Form.NONE),
    Variant(Form.JOBS),
    Variant(Form.JOBS, most_running=_CAP),
    Variant(Form.JOBS, OwnerOrder.FAIR),
    Variant(Form.ARRAY),
    Variant(Form.ARRAY, most_running=_CAP),
    Variant(Form.ARRAY, OwnerOrder.FAIR),
)


class _WithArray(WithPastUse):
    """Creates the jobs of the burst when they can start, as the cycle does with an array."""

    def __init__(self, instances: int, policy: Policy, checkpoint: int | None) -> None:
        super().__init__(instances, policy, checkpoint)
        self._to_come: list[Progress] = []

    def submitted(self, progress: Progress, now: int) -> None:
        if progress.submission.user == _OWNER:
            self._to_come.append(progress)
        else:
            super().submitted(progress, now)

    def decide(self, engine: Engine, now: int) -> None:
        super().decide(engine, now)
        while self._create(now):
            super().decide(engine, now)

    def _create(self, now: int) -> bool:
        """Creates jobs in the place of those that have started. Returns whether it has created any."""
        waiting = sum(job.started is None and job.ended is None for job in self._created())
        new = self._to_come[: WINDOW - waiting]
        del self._to_come[: len(new)]
        for progress in new:
            super().submitted(progress, now)
        return bool(new)

    def _created(self) -> Sequence[Progress]:
        return [progress for progress in self._progress.values() if progress.submission.user == _OWNER]


@dataclass(frozen=True, slots=True)
class Outcome:
    mean_of_others_h: float
    p95_of_others_h: float
    all_others_h: float  # of the whole window
    burst_h: float  # until its last job has ended


def replay(run: tuple[Window, Variant]) -> Outcome:
    window, variant = run
    others = window.submissions(window.instances)
    submissions = others if variant.form is Form.NONE else _with_burst(others)
    teams = (Team("all", ("*",), owners=variant.owners),)
    policy = Policy(teams=teams, running_per_owner=variant.most_running)
    decider = (_WithArray if variant.form is Form.ARRAY else WithPastUse)(window.instances, policy, _CHECKPOINT)
    rows = Engine(submissions, window.instances, timers=decider.timers).run(decider)
    delay = delays(submissions, rows)
    by_others = [job for job in submissions if job.user != _OWNER and job.index in delay]
    affected = [delay[job.index] / _HOUR for job in by_others if _AT <= job.submit < _AT + _AFTERWARDS]
    ends = [row.end for row in rows if submissions[row.job].user == _OWNER]
    return Outcome(
        fmean(affected),
        percentile(affected, 95),
        fmean(delay[job.index] for job in by_others) / _HOUR,
        (max(ends) - _AT) / _HOUR if ends else 0.0,
    )


def _with_burst(others: Sequence[Submission]) -> list[Submission]:
    burst = Submission(0, _AT, _SECONDS, 1, _PRIORITY, 2 * _SECONDS, _OWNER, _OWNER)
    ordered = sorted([*others, *[burst] * _JOBS], key=lambda job: job.submit)
    return [replace(job, index=index) for index, job in enumerate(ordered)]


_HEAD = "| trace | burst | protection | others, 6 hours: mean delay, h | 95th percentile, h | others, whole window: mean delay, h | burst ends after, h |"  # noqa: E501


def table(runs: Sequence[tuple[Window, Variant]], outcomes: Sequence[Outcome]) -> str:
    lines = (_line(window, variant, found) for (window, variant), found in zip(runs, outcomes, strict=True))
    return "\n".join((_HEAD, "|---" * 7 + "|", *lines))


def _line(window: Window, variant: Variant, found: Outcome) -> str:
    others = f"{found.mean_of_others_h:.2f} | {found.p95_of_others_h:.2f} | {found.all_others_h:.2f}"
    ended = f"{found.burst_h:.1f}" if variant.form is not Form.NONE else ""
    return f"| {window.title} | {variant.form} | {variant.protection} | {others} | {ended} |"


def _main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.bursts", description=__doc__)
    parser.add_argument("--window", choices=[window.title for window in WINDOWS], help="only one of the windows")
    options = parser.parse_args()
    windows = [replace(window, days=1) for window in WINDOWS if options.window in {None, window.title}]
    runs = [(window, variant) for window in windows for variant in VARIANTS]
    with ProcessPoolExecutor(max_workers=2) as pool:
        outcomes = list(pool.map(replay, runs))
    sys.stdout.write(table(runs, outcomes) + "\n")


if __name__ == "__main__":
    _main()
