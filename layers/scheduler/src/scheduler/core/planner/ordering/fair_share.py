"""Shares the budget between teams: by weight over time, with quotas that other teams may borrow.

Within one priority, the team with the least use relative to its weight comes next. A job within its team's quota
ranks above all jobs beyond their team's quota, whatever their priority. Without teams, the order stays as it is.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heapreplace
from itertools import groupby

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import NO_TEAM, Team, team_of
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.snapshot import Snapshot

#: A job may preempt jobs of lower rank. Jobs within a quota rank highest, then jobs of higher priority.
Rank = tuple[bool, int]


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks all jobs. A job may preempt jobs of strictly lower rank."""

    below_quota: frozenset[str] = frozenset()  # names of jobs, live or queued, within their team's quota

    def of(self, job: Job) -> Rank:
        return (job.name in self.below_quota, job.options.priority)


def order_fairly(ordered: list[Job], snapshot: Snapshot, now: datetime) -> tuple[list[Job], Ranks]:
    """Returns the queue in fair order, jobs within a quota first, and the rank of every job."""
    if not snapshot.policy.teams or _is_one_team_alone(ordered, snapshot):
        return ordered, Ranks()
    fair = list(_interleave_teams(ordered, snapshot, now))
    ranks = Ranks(_within_quota(fair, snapshot))
    return sorted(fair, key=lambda job: job.name not in ranks.below_quota), ranks


def _is_one_team_alone(ordered: list[Job], snapshot: Snapshot) -> bool:
    """Returns whether one team has all the jobs, so that its quota ranks none of them above another team's."""
    jobs = {(job.owner, job.options.team): job for job in (*ordered, *(live.job for live in snapshot.live))}
    return len({team_of(job, snapshot.policy.teams) for job in jobs.values()}) < 2


def _interleave_teams(ordered: Iterable[Job], snapshot: Snapshot, now: datetime) -> Iterator[Job]:
    used = usage_by_team(snapshot, now)
    for _, jobs in groupby(ordered, key=lambda job: job.options.priority):
        queues: dict[Team, deque[Job]] = defaultdict(deque)
        for job in jobs:
            queues[_team(job, snapshot)].append(job)
        next_teams = [(used.get(team.name, 0.0) / team.weight, team.name, team) for team in queues]
        heapify(next_teams)
        while next_teams:
            use_per_weight, name, team = next_teams[0]
            job = queues[team].popleft()
            yield job
            charge = snapshot.policy.weights.of(job.spec.demand) * snapshot.runtime_stats.expected_run_time(job)
            used[name] = used.get(name, 0.0) + charge
            if queues[team]:
                heapreplace(next_teams, (use_per_weight + charge / team.weight, name, team))
            else:
                heappop(next_teams)


def usage_by_team(snapshot: Snapshot, now: datetime) -> dict[str, float]:
    """Returns weighted seconds by team: past use, decayed to now, plus the expected use of live jobs."""
    half_life = snapshot.policy.usage_half_life
    used = {name: usage.decayed_to(now, half_life) for name, usage in snapshot.usage.items()}
    for live in snapshot.live:
        name = _team(live.job, snapshot).name
        held = (now - live.attempt.reserved_at).total_seconds()
        seconds = max(held, snapshot.runtime_stats.expected_run_time(live.job))
        used[name] = used.get(name, 0.0) + seconds * snapshot.policy.weights.of(live.attempt.demand)
    return used


def _within_quota(fair: list[Job], snapshot: Snapshot) -> frozenset[str]:
    """Returns the names of the jobs within their team's quota.

    Each quota goes to running never-preempt jobs first, even if they fill only a part of their demand: they hold those
    instances until they end. Then it goes to jobs of higher priority and, within a priority, to running jobs first.
    """
    unused = {team: FreeCapacity(team.quota.counts) for team in snapshot.policy.teams}
    staying = sorted((live.job for live in snapshot.staying), key=lambda job: (job.submitted_at, job.name))
    fixed = {job.name: job for job in staying if job.is_never_preempted}
    movable = [job for job in staying if job.name not in fixed]
    within = set()
    for job in [*fixed.values(), *sorted([*movable, *fair], key=lambda job: -job.options.priority)]:
        quota = unused.get(_team(job, snapshot))
        if quota and quota.has(job.spec.demand):
            quota.take(job.spec.demand)
            within.add(job.name)
        elif quota and job.name in fixed:
            quota.take_up_to(job.spec.demand)
    return frozenset(within)


def _team(job: Job, snapshot: Snapshot) -> Team:
    return team_of(job, snapshot.policy.teams) or NO_TEAM
