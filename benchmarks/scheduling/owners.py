"""Replays windows of traces with one team, whose owners form one queue or take turns by recent use.

python -m benchmarks.scheduling.owners --window PAI   prints a row for each ordering and each order of owners

The windows are those of `benchmarks.scheduling.teams`. Past use counts, as in production.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from statistics import fmean

from benchmarks.scheduling.engine import Engine, Progress
from benchmarks.scheduling.figures import Figures, delays, figures
from benchmarks.scheduling.production import Production, name_of, time_of
from benchmarks.scheduling.teams import WINDOWS, Window
from benchmarks.scheduling.trace import Submission
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import Ordering, OwnerOrder, Team
from scheduler.core.planner.learned import Usage, usage_keys
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot

_CHECKPOINT = 1800
_HOUR = 3600
_HEAVIEST = 5  # users


class WithPastUse(Production):
    """Charges each finished attempt to its team and its owner."""

    def __init__(self, instances: int, policy: Policy, checkpoint: int | None) -> None:
        super().__init__(instances, policy, checkpoint)
        self._usage: dict[str, Usage] = {}

    def completed(self, progress: Progress) -> None:
        self._charge(self._live[name_of(progress.submission)], time_of(progress.ended or 0))
        super().completed(progress)

    def _stopped(self, live: LiveJob, outcome: Outcome, engine: Engine, now: int, beneficiary: str = "") -> Job:
        self._charge(live, time_of(now))
        return super()._stopped(live, outcome, engine, now, beneficiary)

    def _snapshot(self, free: Demand) -> Snapshot:
        return replace(super()._snapshot(free), usage=self._usage)

    def _charge(self, live: LiveJob, now: datetime) -> None:
        held = (now - live.attempt.reserved_at).total_seconds() * self._policy.weights.of(live.attempt.demand)
        for key in usage_keys(live.job, self._policy.teams):
            self._usage[key] = self._usage.get(key, Usage(0.0, now)).plus(held, now, self._policy.usage_half_life)


@dataclass(frozen=True, slots=True)
class Outcomes:
    figures: Figures
    mean_of_users_h: float  # each user's mean delay counts once
    light_h: float  # mean delay of the jobs of the users with the least work: half of all users
    heavy_h: float  # mean delay of the jobs of the users with the most work


Variant = tuple[Window, Ordering, OwnerOrder]


def replay(variant: Variant) -> Outcomes:
    window, ordering, owners = variant
    submissions = window.submissions(window.instances)
    policy = Policy(ordering=ordering, teams=(Team("all", ("*",), owners=owners),))
    decider = WithPastUse(window.instances, policy, _CHECKPOINT)
    rows = Engine(submissions, window.instances, timers=decider.timers).run(decider)
    by_user = _delays_by_user(submissions, delays(submissions, rows))
    users = _from_least_work(submissions)
    return Outcomes(
        figures(submissions, rows, window.instances),
        fmean(fmean(of_user) for of_user in by_user.values()),
        _mean_of(users[: len(users) // 2], by_user),
        _mean_of(users[-_HEAVIEST:], by_user),
    )


def _delays_by_user(submissions: Sequence[Submission], delay: Mapping[int, int]) -> Mapping[str, Sequence[float]]:
    found = defaultdict[str, list[float]](list)
    for job in submissions:
        if job.index in delay:
            found[job.user].append(delay[job.index] / _HOUR)
    return found


def _from_least_work(submissions: Sequence[Submission]) -> Sequence[str]:
    work = Counter[str]()
    for job in submissions:
        work[job.user] += job.duration * job.instances
    return sorted(work, key=lambda user: (work[user], user))


def _mean_of(users: Collection[str], by_user: Mapping[str, Sequence[float]]) -> float:
    return fmean(delay for user in users for delay in by_user.get(user, ()))


_HEAD = "| trace | ordering | owners | mean delay, h | mean over users, h | users with little work, h | 5 users with the most work, h | lost, % |"  # noqa: E501


def table(variants: Sequence[Variant], outcomes: Sequence[Outcomes]) -> str:
    lines = (_line(variant, found) for variant, found in zip(variants, outcomes, strict=True))
    return "\n".join((_HEAD, "|---" * 8 + "|", *lines))


def _line(variant: Variant, found: Outcomes) -> str:
    window, ordering, owners = variant
    of_users = f"{found.mean_of_users_h:.2f} | {found.light_h:.2f} | {found.heavy_h:.2f}"
    return (
        f"| {window.title} | {ordering} | {owners} | {found.figures.mean_delay_h:.2f} | {of_users}"
        f" | {found.figures.lost_percent:.2f} |"
    )


def _main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.owners", description=__doc__)
    parser.add_argument("--window", choices=[window.title for window in WINDOWS], help="only one of the windows")
    options = parser.parse_args()
    windows = [window for window in WINDOWS if options.window in {None, window.title}]
    variants = list(product(windows, Ordering, OwnerOrder))
    with ProcessPoolExecutor(max_workers=2) as pool:
        outcomes = list(pool.map(replay, variants))
    sys.stdout.write(table(variants, outcomes) + "\n")


if __name__ == "__main__":
    _main()
