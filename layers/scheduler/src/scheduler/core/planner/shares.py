"""Defines the schema of the section `shares`: the teams that share the budget."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.principal import names_session
from scheduler.core.jobs.team import Team
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MOST_WEIGHT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Team:
    """Sets the members, weight and quota of a team. The team's name is the key."""

    members: tuple[str, ...]
    weight: float = 1.0
    quota: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_field("members", self.members, "is empty: list patterns of owners, as in *:assumed-role/Vision/*")
        named = next(filter(names_session, self.members), "")
        problem = f"has {named}, which names a session, and callers choose session names: end it with /*"
        check_field("members", not named, problem)
        check_field("weight", 0 < self.weight <= _MOST_WEIGHT, f"must be above 0, and at most {_MOST_WEIGHT}")
        for instance_type, count in self.quota.items():
            check_field("quota", count >= 0, f"{instance_type} must be 0 or more, not {count}")


def problems(teams: Sequence[Team], budget: Budget) -> Iterator[FieldProblem]:
    """Yields team names that are not allowed, and total quotas that exceed the budget of the stack's parameter."""
    for team in teams:
        if not _NAME.fullmatch(team.name):
            yield team.name, f"{team.name[:50]!r} must be a name of 1 to 64 letters, digits, - and _"
    for line, count in total(team.quota for team in teams).counts:
        if count > budget.limit[line]:
            yield "", f"quota {count} × {line} in all, but the stack's InstanceBudget has {budget.limit[line]}"


def _teams(shares: Mapping[str, _Team]) -> tuple[Team, ...]:
    return tuple(
        Team(name, share.members, share.weight, Demand.of(share.quota)) for name, share in sorted(shares.items())
    )


SCHEMA = Schema(Mapping[str, _Team], _teams)
