"""Shares the budget between teams: by weight over time, with quotas that other teams may borrow.

Within one priority, the team with the least use relative to its weight comes next. A job within its team's quota ranks
above all jobs beyond their teams' quotas, whatever their priority. Without teams, the order stays as it is.

In a team whose owners share it fairly, owners take turns in the same way, before teams do.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heapreplace
from itertools import groupby

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import NO_TEAM, OwnerOrder, Team, team_of
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.learned import usage_keys
from scheduler.core.planner.ordering.running_caps import RunningCaps
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
    if not snapshot.policy.teams:
        return ordered, Ranks()
    fair = list(_interleave(ordered, snapshot, now))
    if _is_one_team_alone(ordered, snapshot):
        return fair, Ranks()
    ranks = Ranks(within_quota(fair, snapshot))
    return sorted(fair, key=lambda job: job.name not in ranks.below_quota), ranks


def _is_one_team_alone(ordered: list[Job], snapshot: Snapshot) -> bool:
    """Returns whether one team has all the jobs, so that its quota cannot rank them above another team's jobs."""
    jobs = {(job.owner, job.options.team): job for job in (*ordered, *(live.job for live in snapshot.live))}
    return len({team_of(job, snapshot.policy.teams) for job in jobs.values()}) < 2


def _interleave(ordered: Iterable[Job], snapshot: Snapshot, now: datetime) -> Iterator[Job]:
    """Yields the jobs of each priority: the owners in a fair team take turns, and then all teams do."""
    turns = _Turns(snapshot, now)
    for _, jobs in groupby(ordered, key=lambda job: job.options.priority):
        queues: dict[Team, list[Job]] = defaultdict(list)
        for job in jobs:
            queues[_team(job, snapshot)].append(job)
        weights = {team.name: team.weight for team in queues}
        yield from turns.take({team.name: turns.within(team, of_team) for team, of_team in queues.items()}, weights)


class _Turns:
    """Lets teams, or the owners in a team, take turns by their use, and charges the teams or owners for each job."""

    def __init__(self, snapshot: Snapshot, now: datetime) -> None:
        self._snapshot, self._used = snapshot, usage_by_key(snapshot, now)

    def within(self, team: Team, jobs: list[Job]) -> Iterable[Job]:
        """Returns the jobs of a team in the order of its owners' turns."""
        if team.owners is not OwnerOrder.FAIR:
            return jobs
        queues: dict[str, list[Job]] = defaultdict(list)
        for job in jobs:
            queues[usage_keys(job, self._snapshot.policy.teams)[-1]].append(job)
        return self.take(queues, dict.fromkeys(queues, 1.0))

    def take(self, queues: Mapping[str, Iterable[Job]], weights: Mapping[str, float]) -> Iterator[Job]:
        """Yields the jobs of all queues: the next comes from the queue with the least use relative to its weight."""
        waiting = {key: deque(jobs) for key, jobs in queues.items()}
        turns = [(self._used.get(key, 0.0) / weights[key], key) for key in queues]
        heapify(turns)
        while turns:
            use_per_weight, key = turns[0]
            job = waiting[key].popleft()
            yield job
            charge = self._charge_for(job)
            self._used[key] = self._used.get(key, 0.0) + charge
            if waiting[key]:
                heapreplace(turns, (use_per_weight + charge / weights[key], key))
            else:
                heappop(turns)

    def _charge_for(self, job: Job) -> float:
        weight = self._snapshot.policy.weights.of(job.spec.demand)
        return weight * self._snapshot.runtime_stats.expected_run_time(job)


def usage_by_key(snapshot: Snapshot, now: datetime) -> dict[str, float]:
    """Returns the weighted seconds of each team and owner: past use, decayed to now, plus expected use of live jobs."""
    half_life = snapshot.policy.usage_half_life
    used = {key: usage.decayed_to(now, half_life) for key, usage in snapshot.usage.items()}
    for live in snapshot.live:
        held = (now - live.attempt.reserved_at).total_seconds()
        seconds = max(held, snapshot.runtime_stats.expected_run_time(live.job))
        charge = seconds * snapshot.policy.weights.of(live.attempt.demand)
        for key in usage_keys(live.job, snapshot.policy.teams):
            used[key] = used.get(key, 0.0) + charge
    return used


def use_of_owner(job: Job, used: Mapping[str, float], teams: Sequence[Team]) -> float | None:
    """Returns the use of the job's owner in its team; None if owners take no turns there."""
    _, *of_owner = usage_keys(job, teams)
    return used.get(of_owner[0], 0.0) if of_owner else None


def within_quota(fair: list[Job], snapshot: Snapshot) -> frozenset[str]:
    """Returns the names of the jobs within their team's quota.

    Each quota goes to running never-preempt jobs first, even if it covers only part of their demand: they hold those
    instances until they end. Then it goes to jobs of higher priority and, within a priority, to running jobs first. It
    does not go to waiting jobs that a cap holds.
    """
    unused = {team: FreeCapacity(team.quota.counts) for team in snapshot.policy.teams}
    staying = sorted((live.job for live in snapshot.staying), key=lambda job: (job.submitted_at, job.name))
    fixed = {job.name: job for job in staying if job.is_never_preempted}
    movable = [job for job in staying if job.name not in fixed]
    within, caps = set(), RunningCaps(snapshot)
    for job in [*fixed.values(), *sorted([*movable, *fair], key=lambda job: -job.options.priority)]:
        quota = unused.get(_team(job, snapshot))
        if not quota or (job.is_queued and caps.refusal(job)):
            continue
        if quota.has(job.runs_on):
            quota.take(job.runs_on)
            within.add(job.name)
            if job.is_queued:
                caps.record_start(job)
        elif job.name in fixed:
            quota.take_up_to(job.runs_on)
    return frozenset(within)


def _team(job: Job, snapshot: Snapshot) -> Team:
    return team_of(job, snapshot.policy.teams) or NO_TEAM
