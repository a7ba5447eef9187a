"""Defines the teams that share the budget: their members, weights, quotas, and limits on lending and borrowing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import arn_for_patterns
from scheduler.errors.refusals import Violation

TEAM_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
#: Instance counts by budget line. Unlike in a Demand, 0 differs from a missing line.
Limits = tuple[tuple[str, int], ...]


class Ordering(StrEnum):
    """Selects the order of jobs with the same priority."""

    FIFO = "fifo"  # the job that has waited longest first
    SHORTEST = "shortest"  # the job with the shortest expected run time first


class PreemptWithin(StrEnum):
    """Lists the jobs of the same team that a job may preempt."""

    LOWER_PRIORITY = "lower_priority"
    NEVER = "never"


class OwnerOrder(StrEnum):
    """Selects how the owners in a team take turns."""

    TOGETHER = "together"  # their jobs form one queue
    FAIR = "fair"  # within a priority, the owner with the least recent use comes next


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSettings:
    """Holds the settings that replace those of the policy for a team's jobs. None keeps the policy's setting."""

    ordering: Ordering | None = None
    patience: int | None = None  # seconds
    protected_run_time: int | None = None  # seconds
    preemptions_per_job: int | None = None


AS_POLICY_SAYS = TeamSettings()


@dataclass(frozen=True, slots=True)
class Team:
    name: str
    members: tuple[str, ...]  # owner patterns, as in *:assumed-role/Vision/*
    weight: float = 1.0  # its share of the budget, relative to other teams
    quota: Demand = NOTHING  # the instances that it can always take back from other teams
    lend: Limits = ()  # how many instances of its quota other teams may use; all, for a missing line
    borrow_at_most: Limits = ()  # how many instances it may hold beyond its quota; any number if left out
    ceiling: Limits = ()  # how many instances it may hold in all; any number if left out
    preempt_within: PreemptWithin = PreemptWithin.LOWER_PRIORITY
    priority_ceiling: int | None = None  # the highest priority of its jobs; None: any
    settings: TeamSettings = AS_POLICY_SAYS
    submitters: tuple[str, ...] = ()  # owner patterns: their jobs may choose this team, as those of its members may
    owners: OwnerOrder = OwnerOrder.TOGETHER

    def has(self, owner: str) -> bool:
        return _matches_any(owner, self.members)

    def may_be_chosen_by(self, owner: str) -> bool:
        return self.has(owner) or _matches_any(owner, self.submitters)

    @property
    def reserve(self) -> Demand:
        """Returns the part of its quota that the team does not lend."""
        lend = dict(self.lend)
        return Demand.of({line: count - lend.get(line, count) for line, count in self.quota.counts})

    @property
    def most(self) -> Mapping[str, int]:
        """Returns how many instances the team may hold, for each line with a limit."""
        most = dict(self.ceiling)
        for line, count in self.borrow_at_most:
            with_borrowed = self.quota[line] + count
            most[line] = min(with_borrowed, most.get(line, with_borrowed))
        return most


@lru_cache(maxsize=4096)  # a plan asks several times for each job, and teams may have hundreds of patterns
def _matches_any(owner: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(arn_for_patterns(owner), pattern) for pattern in patterns)


#: Jobs without a team share the budget as if they formed a team with weight 1 and no quota.
NO_TEAM = Team("", ())


def team_of(job: Job, teams: Sequence[Team]) -> Team | None:
    """Returns the job's team; None if it has none."""
    return team_chosen(job.options.team, job.owner, teams)


def team_chosen(name: str, owner: str, teams: Sequence[Team]) -> Team | None:
    """Returns the chosen team if the owner may choose it; otherwise, the first team that has the owner as a member."""
    chosen = (team for team in teams if team.name == name and team.may_be_chosen_by(owner))
    return next(chosen, None) or next((team for team in teams if team.has(owner)), None)


def violations(job: Job, teams: Sequence[Team]) -> tuple[Violation, ...]:
    """Returns the violations of the team's limits: the owner cannot choose it, or the priority is too high."""
    team, name, priority = team_of(job, teams), job.options.team, job.options.priority
    if name and (team is None or team.name != name):
        open_to = [each.name for each in teams if each.may_be_chosen_by(job.owner)]
        remedy = f"Use {' or '.join(open_to)}." if open_to else "Leave the option out."
        return (Violation(name, "options.team", f"The owner cannot choose the team {name}", remedy),)
    if team is None or team.priority_ceiling is None or priority <= team.priority_ceiling:
        return ()
    message = f"Priority {priority} is not allowed in the team {team.name}"
    return (Violation(team.name, "priority", message, f"Use at most {team.priority_ceiling}."),)
