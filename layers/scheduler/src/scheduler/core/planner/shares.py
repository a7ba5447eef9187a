"""Defines the schema of the section `shares`: the teams that share the budget."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from scheduler.core.calendar.calendar import Calendar
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.principal import matches_no_caller, names_session
from scheduler.core.jobs.team import TEAM_NAME, Ordering, OwnerOrder, PreemptWithin, Team, TeamSettings
from scheduler.core.planner.policy import RANGES, TEAM_SETTINGS, in_range
from scheduler.core.requests.options import MAX_PRIORITY
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import Check, checking_all_fields

_MOST_WEIGHT = 1000
_COUNTS = ("quota", "lend", "borrow_at_most", "ceiling")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Team:
    """Sets the members, weight and share of a team. The team's name is the key. Counts are instances by type."""

    one_of: ClassVar = ("members", "submitters")  # each team has at least one of these
    members: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()  # besides its members: their jobs may choose this team
    weight: float = 1.0
    quota: Mapping[str, int] = field(default_factory=dict)  # guaranteed: the team takes them back from other teams
    lend: Mapping[str, int] = field(default_factory=dict)  # at most this much of the quota; 0: reserved for the team
    borrow_at_most: Mapping[str, int] = field(default_factory=dict)  # beyond the quota
    ceiling: Mapping[str, int] = field(default_factory=dict)  # in total
    preempt_within: PreemptWithin = PreemptWithin.LOWER_PRIORITY  # the team's jobs that its other jobs may preempt
    priority_ceiling: int | None = None  # the highest priority of the team's jobs
    owners: OwnerOrder = OwnerOrder.TOGETHER  # how the owners in the team take turns
    ordering: Ordering | None = None  # replaces the policy's value for the team's jobs, like all members below
    patience: Duration | None = None
    protected_run_time: Duration | None = None
    preemptions_per_job: int | None = None  # at least 1: other teams could not take back what this team borrowed

    def __post_init__(self) -> None:
        with checking_all_fields() as check:
            has_owners = any(getattr(self, name) for name in self.one_of)
            check("members", has_owners, "is empty: list owner patterns, such as *:assumed-role/Vision/*")
            for name in self.one_of:
                _check_patterns(check, name, getattr(self, name))
            check("weight", 0 < self.weight <= _MOST_WEIGHT, f"must be above 0, and at most {_MOST_WEIGHT}")
            for name in _COUNTS:
                for line, count in getattr(self, name).items():
                    check(name, count >= 0, f"{line} must be 0 or more, not {count}")
            self._check_against_quota(check)
            self._check_settings(check)

    def _check_against_quota(self, check: Check) -> None:
        for line, count in self.lend.items():
            quota = self.quota.get(line, 0)
            check("lend", count <= quota, f"{line} must be at most the quota, which is {quota}, not {count}")
        for line, count in self.ceiling.items():
            quota = self.quota.get(line, 0)
            check("ceiling", count >= quota, f"{line} must be at least the quota, which is {quota}, not {count}")

    def _check_settings(self, check: Check) -> None:
        if self.priority_ceiling is not None:
            check(*in_range("priority_ceiling", self.priority_ceiling, -MAX_PRIORITY, MAX_PRIORITY))
        for name in ("patience", "protected_run_time", "preemptions_per_job"):
            low, high = RANGES[name]
            if (value := getattr(self, name)) is not None:
                check(*in_range(name, value, max(low, 1) if name == "preemptions_per_job" else low, high))


def _check_patterns(check: Check, name: str, patterns: Sequence[str]) -> None:
    named = next(filter(names_session, patterns), "")
    problem = f"has {named}, which names a session, and callers choose session names: end it with /*"
    check(name, not named, problem)
    unmatched = next(filter(matches_no_caller, patterns), "")
    problem = f"has {unmatched}, which matches no caller's ARN: write *:assumed-role/NAME/* or *:user/NAME"
    check(name, not unmatched, problem)


def problems(teams: Sequence[Team], budget: Budget) -> Iterator[FieldProblem]:
    """Yields team names that are not allowed, and total quotas that exceed the budget in the stack's parameter."""
    for team in teams:
        if not TEAM_NAME.fullmatch(team.name):
            yield team.name, f"{team.name[:50]!r} must be a name of 1 to 64 letters, digits, - and _"
    for line, count in total(team.quota for team in teams).counts:
        if count > budget.limit[line]:
            yield "", f"quota {count} × {line} in all, but the stack's InstanceBudget has {budget.limit[line]}"


def windows_below_quotas(
    calendar: Calendar, teams: Sequence[Team], budget: Budget, now: datetime
) -> Iterator[FieldProblem]:
    """Yields the calendar's windows that leave fewer instances of a type than the sum of all teams' quotas."""
    quotas = total(team.quota for team in teams).counts
    for index, window in enumerate(calendar.windows):
        if window.has_ended(calendar.time_zone, now):
            continue
        counts = window.instance_counts(budget)
        for line, quota in quotas:
            if (left := counts.get(line, quota)) < quota:
                yield f"windows[{index}]", f"{window.name!r} leaves {left} × {line}, but all quotas are {quota}"


def _teams(shares: Mapping[str, _Team]) -> tuple[Team, ...]:
    return tuple(_team(name, share) for name, share in sorted(shares.items()))


def _team(name: str, share: _Team) -> Team:
    lend, borrow, ceiling = (
        tuple(sorted(counts.items())) for counts in (share.lend, share.borrow_at_most, share.ceiling)
    )
    return Team(
        name,
        share.members,
        share.weight,
        Demand.of(share.quota),
        lend,
        borrow,
        ceiling,
        share.preempt_within,
        share.priority_ceiling,
        TeamSettings(**{setting: getattr(share, setting) for setting in TEAM_SETTINGS}),
        share.submitters,
        share.owners,
    )


SCHEMA = Schema(Mapping[str, _Team], _teams)
