"""Checks jobs against the shares of their teams, and words the reasons for jobs that wait because of shares.

Reserves and ceilings are in `shared_capacity.py`. This module adds the limit on never-preempt jobs, which may borrow
only instances that no quota needs: the teams with quotas could not take these instances back.
"""

from collections import defaultdict

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import PreemptWithin
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.fair_share import Ranks
from scheduler.core.planner.shared_capacity import TeamLimits
from scheduler.core.planner.snapshot import Snapshot


class ShareCheck:
    """Counts the instances that never-preempt jobs hold, by team."""

    def __init__(self, snapshot: Snapshot, limits: TeamLimits, whole: FreeCapacity, ranks: Ranks) -> None:
        self._limits, self._whole, self._below_quota = limits, whole, ranks.below_quota
        self._budget, self._held_elsewhere = snapshot.budget.limit, snapshot.held_by_unmanaged_jobs
        within = {team.name: team.preempt_within for team in snapshot.policy.teams}
        self._without_preemption = {name for name, preempts in within.items() if preempts is PreemptWithin.NEVER}
        self._quotas = {team.name: team.quota for team in snapshot.policy.teams if team.quota.counts}
        self._held: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))  # by line and team
        if self._quotas:
            for live in snapshot.live:
                self.record_start(live.job)

    def refusal(self, job: Job) -> Reason | None:
        """Returns why its team's share keeps the job from starting, even on free instances.

        Such a job delays no other job.
        """
        if not self._whole.fits(job):
            message = (
                f"needs {job.spec.demand}, but ceilings or other teams' reserves never leave that many free for it"
            )
            return Reason(ReasonCode.EXCEEDS_SHARE, message)
        if job.is_never_preempted and self._quotas and self._keeps_an_owner_waiting(job):
            message = "a never-preempt job cannot borrow instances, because other teams could not reclaim them"
            return Reason(ReasonCode.MAY_NOT_BORROW, message)
        return None

    def spares(self, job: Job, running: Job) -> bool:
        """Returns whether both jobs belong to one team that keeps the first from preempting the second.

        A quota gives a job no right over its own team's jobs: the job preempts only those of lower priority.
        """
        team = self._limits.team_name(job)
        if team != self._limits.team_name(running):
            return False
        is_for_quota = job.name in self._below_quota and running.options.priority >= job.options.priority
        return is_for_quota or team in self._without_preemption

    def takes_back(self, job: Job, borrower: Job) -> bool:
        """Returns whether the job is within its team's quota, and the other job is beyond the quota of another team."""
        if job.name not in self._below_quota or borrower.name in self._below_quota:
            return False
        return self._limits.team_name(job) != self._limits.team_name(borrower)

    def record_start(self, job: Job) -> None:
        if job.is_never_preempted:
            for line, count in job.runs_on.counts:
                self._held[line][self._limits.team_name(job)] += count

    def _keeps_an_owner_waiting(self, job: Job) -> bool:
        team = self._limits.team_name(job)
        return any(self._lacks_a_quota(team, line, count) for line, count in job.spec.demand.counts)

    def _lacks_a_quota(self, team: str, line: str, count: int) -> bool:
        """Returns whether giving the team `count` instances would leave too few instances for the other quotas."""
        held = self._held[line]
        with_job = held[team] + count
        if team in self._quotas and with_job <= self._quotas[team][line]:
            return False
        needed_by_others = sum(
            max(held[other], self._quotas[other][line] if other in self._quotas else 0)
            for other in {*held, *self._quotas} - {team}
        )
        return with_job + needed_by_others > self._budget[line] - self._held_elsewhere[line]


def shortfall(job: Job, available: FreeCapacity) -> Reason:
    """Returns why a job does not fit `available`, the instances that its team may use."""
    free = " + ".join(f"{max(0, available.get(line, 0))} × {line}" for line in job.spec.demand)
    message = f"needs {job.spec.demand}, free: {free}"
    if available.is_over_ceiling_with(job):
        return Reason(ReasonCode.TEAM_CEILING, f"{message}; with this job, its team would exceed its ceiling")
    if all(available.get(line, 0) >= count for line, count in job.spec.demand.counts):
        return Reason(ReasonCode.RESERVED_FOR_TEAM, f"{message}, but other teams reserve them")
    return Reason(ReasonCode.WAITS_FOR_BUDGET, message)
