"""Replays the first days of a trace with several teams: one pool, quotas that are lent, and hard partitions.

python -m benchmarks.scheduling.teams --days 1 --instances 40   prints a table with a row for each division

Each team has the same quota. Users of the trace are divided between teams so that all have a similar amount of work.
Jobs that are wider than a quota are left out of all replays, because partitions could never run them.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from benchmarks.scheduling.engine import Engine
from benchmarks.scheduling.figures import Figures, figures
from benchmarks.scheduling.production import INSTANCE_TYPE, Production
from benchmarks.scheduling.trace import Submission, read
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.team import Ordering, Team
from scheduler.core.planner.policy import Policy

KINDS = ("one pool", "lent quotas", "partitions")
_WEEK = Path(__file__).parents[1] / "data" / "helios_week.sched.csv.gz"
_CHECKPOINT = 1800
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Variant:
    kind: str
    teams: int


VARIANTS = (Variant(KINDS[0], 2), *(Variant(kind, count) for count in (2, 5) for kind in KINDS[1:]))


def replay(trace: Path, days: int, instances: int, narrowest: int, variant: Variant) -> Figures:
    found = [job for job in read(trace) if job.submit < days * _DAY and job.instances <= narrowest]
    submissions = [replace(job, index=index) for index, job in enumerate(found)]
    teams = teams_of(variant, submissions, instances)
    decider = Production(instances, Policy(ordering=Ordering.SHORTEST, teams=teams), _CHECKPOINT)
    rows = Engine(submissions, instances, timers=decider.timers).run(decider)
    return figures(submissions, rows, instances)


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


def table(outcomes: Sequence[Figures]) -> str:
    lines = [
        "| teams | budget | mean delay, h | high class, p95 of the delay, min | wide jobs, mean delay, h | lost, % | utilisation, % |",  # noqa: E501
        "|---|---|---|---|---|---|---|",
    ]
    lines += (_line(variant, found) for variant, found in zip(VARIANTS, outcomes, strict=True))
    return "\n".join(lines)


def _line(variant: Variant, found: Figures) -> str:
    teams = "any" if variant.kind == KINDS[0] else str(variant.teams)
    delays = f"{found.mean_delay_h:.2f} | {found.high_p95_delay_min:.1f} | {found.wide_mean_delay_h:.1f}"
    return f"| {teams} | {variant.kind} | {delays} | {found.lost_percent:.2f} | {found.utilisation_percent:.1f} |"


def _main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.teams", description=__doc__)
    parser.add_argument("--trace", type=Path, default=_WEEK, metavar="F")
    parser.add_argument("--days", type=int, default=2, metavar="N", help="how much of the trace")
    parser.add_argument("--instances", type=int, default=96, metavar="N")
    options = parser.parse_args()
    narrowest = options.instances // max(variant.teams for variant in VARIANTS)
    one = partial(replay, options.trace, options.days, options.instances, narrowest)
    with ProcessPoolExecutor(max_workers=2) as pool:
        outcomes = list(pool.map(one, VARIANTS))
    sys.stdout.write(table(outcomes) + "\n")


if __name__ == "__main__":
    _main()
