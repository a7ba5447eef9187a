"""How teams share the budget: by weight over time, with guarantees that others may borrow and the team can reclaim.

Within one priority the team that has used least for its weight comes next. A job within its team's guarantee ranks
above all jobs that run on borrowed instances, whatever their priority. Without teams nothing changes.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from heapq import heapify, heappop, heapreplace
from itertools import groupby

from attrs import frozen

from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.team import Team, team_of
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.snapshot import Snapshot

#: Who may preempt whom: within a guarantee or not, then by priority.
Rank = tuple[bool, int]
#: Whoever is in no team shares like a team of weight 1 without a guarantee.
_NO_TEAM = Team("", ())
_NOTHING: frozenset[str] = frozenset()


@frozen
class Ranks:
    """Everybody's rank. A job may preempt those of strictly lower rank."""

    below_guarantee: frozenset[str] = _NOTHING  # names of jobs, live or queued, within their team's guarantee

    def of(self, job: Job) -> Rank:
        return (job.name in self.below_guarantee, job.priority)


def share(ordered: list[Job], snapshot: Snapshot, now: datetime) -> tuple[list[Job], Ranks]:
    """The queue in fair order, with the entitled jobs first, and everybody's rank."""
    if not snapshot.policy.teams:
        return ordered, Ranks()
    fair = list(_in_fair_order(ordered, snapshot, now))
    ranks = Ranks(_entitled(fair, snapshot))
    return sorted(fair, key=lambda job: job.name not in ranks.below_guarantee), ranks


def _in_fair_order(ordered: Iterable[Job], snapshot: Snapshot, now: datetime) -> Iterator[Job]:
    used = usage_by_team(snapshot, now)
    for _, jobs in groupby(ordered, key=lambda job: job.priority):
        lines: dict[Team, deque[Job]] = defaultdict(deque)
        for job in jobs:
            lines[_team(job, snapshot)].append(job)
        turns = [(used.get(team.name, 0.0) / team.weight, team.name, team) for team in lines]
        heapify(turns)
        while turns:
            per_weight, name, team = turns[0]
            job = lines[team].popleft()
            yield job
            charge = sum(count for _, count in job.demand.counts) * snapshot.history.expected_run_time(job)
            used[name] = used.get(name, 0.0) + charge
            if lines[team]:
                heapreplace(turns, (per_weight + charge / team.weight, name, team))
            else:
                heappop(turns)


def usage_by_team(snapshot: Snapshot, now: datetime) -> dict[str, float]:
    """Instance seconds by team: what the past counts for now, and what runs is expected to come to."""
    half_life = snapshot.policy.usage_half_life
    used = {name: usage.at(now, half_life) for name, usage in snapshot.usage.items()}
    for live in snapshot.live:
        name = _team(live.job, snapshot).name
        held = (now - live.attempt.reserved_at).total_seconds()
        seconds = max(held, snapshot.history.expected_run_time(live.job))
        used[name] = used.get(name, 0.0) + seconds * sum(count for _, count in live.attempt.demand.counts)
    return used


def _entitled(fair: list[Job], snapshot: Snapshot) -> frozenset[str]:
    """A guarantee goes to the team's highest priority; among equals to those that run, the oldest first."""
    rooms = {team: FreeCapacity(team.guarantee.counts) for team in snapshot.policy.teams}
    staying = [live.job for live in snapshot.live if live.job.state is not JobState.STOPPING]
    staying.sort(key=lambda job: (job.submitted_at, job.name))
    below_guarantee = set()
    for job in sorted([*staying, *fair], key=lambda job: -job.priority):
        room = rooms.get(_team(job, snapshot))
        if room and room.has(job.demand):
            room.take(job.demand)
            below_guarantee.add(job.name)
    return frozenset(below_guarantee)


def _team(job: Job, snapshot: Snapshot) -> Team:
    return team_of(job.owner, snapshot.policy.teams) or _NO_TEAM
