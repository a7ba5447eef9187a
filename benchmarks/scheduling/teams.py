"""Replays windows of three traces with several teams: one pool, quotas that are lent, and hard partitions.

python -m benchmarks.scheduling.teams              prints a table with a row for each window and division
python -m benchmarks.scheduling.teams --window PAI prints the rows of one window

Each team has the same quota. The trace's users are divided between teams so that all teams have a similar amount of
work. Jobs that are wider than a quota are left out of all replays of the window, because partitions could never run
them.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.scheduling.engine import Engine
from benchmarks.scheduling.figures import Figures, figures
from benchmarks.scheduling.production import INSTANCE_TYPE, Production
from benchmarks.scheduling.trace import Submission, read
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.team import Ordering, Team
from scheduler.core.planner.policy import Policy

KINDS = ("one pool", "lent quotas", "partitions")
_DATA = Path(__file__).parents[1] / "data"
_CHECKPOINT = 1800
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a trace, short enough to replay in minutes, and a budget near its mean demand."""

    title: str
    trace: str
    first_day: int
    days: int
    instances: int

    def submissions(self, narrowest: int) -> list[Submission]:
        """Returns the jobs of the window that fit the narrowest quota; times count from its beginning."""
        begins = self.first_day * _DAY
        found = [job for job in read(_DATA / f"{self.trace}.sched.csv.gz") if job.instances <= narrowest]
        found = [job for job in found if begins <= job.submit < begins + self.days * _DAY]
        return [replace(job, index=index, submit=job.submit - begins) for index, job in enumerate(found)]


WINDOWS = (
    Window("Venus", "helios_week", 0, 2, 96),
    Window("PAI", "pai_2020_sample", 8, 2, 88),
    Window("Philly", "philly_4vc", 28, 7, 72),
)


@dataclass(frozen=True, slots=True)
class Variant:
    kind: str
    teams: int


VARIANTS = (Variant(KINDS[0], 2), *(Variant(kind, count) for count in (2, 5) for kind in KINDS[1:]))


def replay(run: tuple[Window, Variant]) -> Figures:
    window, variant = run
    submissions = window.submissions(window.instances // max(variant.teams for variant in VARIANTS))
    teams = teams_of(variant, submissions, window.instances)
    decider = Production(window.instances, Policy(ordering=Ordering.SHORTEST, teams=teams), _CHECKPOINT)
    rows = Engine(submissions, window.instances, timers=decider.timers).run(decider)
    return figures(submissions, rows, window.instances)


def teams_of(variant: Variant, submissions: Sequence[Submission], instances: int) -> tuple[Team, ...]:
    """Returns the teams, with equal quotas; none for one pool."""
    if variant.kind == KINDS[0]:
        return ()
    return tuple(
        _team(f"team{number}", tuple(sorted(members)), (instances + number) // variant.teams, variant.kind)
        for number, members in enumerate(divided(submissions, variant.teams))
    )


def divided(submissions: Sequence[Submission], count: int) -> list[set[str]]:
    """Returns the users of each team. The user with the most work goes to the team that has the least so far."""
    work = Counter[str]()
    for job in submissions:
        work[job.user] += job.duration * job.instances
    members: list[set[str]] = [set() for _ in range(count)]
    loads = [0] * count
    for user, seconds in sorted(work.items(), key=lambda item: (-item[1], item[0])):
        least = loads.index(min(loads))
        members[least].add(user)
        loads[least] += seconds
    return members


def _team(name: str, members: tuple[str, ...], quota: int, kind: str) -> Team:
    team = Team(name, members, quota=Demand.of({INSTANCE_TYPE: quota}))
    if kind == "lent quotas":
        return team
    return replace(team, lend=((INSTANCE_TYPE, 0),), ceiling=((INSTANCE_TYPE, quota),))


_HEAD = "| trace | teams | budget | mean delay, h | high class, p95 of the delay, min | wide jobs, mean delay, h | lost, % | utilisation, % |"  # noqa: E501


def table(runs: Sequence[tuple[Window, Variant]], outcomes: Sequence[Figures]) -> str:
    lines = (_line(window, variant, found) for (window, variant), found in zip(runs, outcomes, strict=True))
    return "\n".join((_HEAD, "|---" * 8 + "|", *lines))


def _line(window: Window, variant: Variant, found: Figures) -> str:
    teams = "any" if variant.kind == KINDS[0] else str(variant.teams)
    delays = f"{found.mean_delay_h:.2f} | {found.high_p95_delay_min:.1f} | {found.wide_mean_delay_h:.1f}"
    shares = f"{found.lost_percent:.2f} | {found.utilisation_percent:.1f}"
    return f"| {window.title} | {teams} | {variant.kind} | {delays} | {shares} |"


def _main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.teams", description=__doc__)
    parser.add_argument("--window", choices=[window.title for window in WINDOWS], help="only one of the windows")
    options = parser.parse_args()
    windows = [window for window in WINDOWS if options.window in {None, window.title}]
    runs = [(window, variant) for window in windows for variant in VARIANTS]
    with ProcessPoolExecutor(max_workers=2) as pool:
        outcomes = list(pool.map(replay, runs))
    sys.stdout.write(table(runs, outcomes) + "\n")


if __name__ == "__main__":
    _main()
