"""Defines the teams that share the budget: their members, weights and guaranteed instances."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.principal import arn_for_patterns


@dataclass(frozen=True, slots=True)
class Team:
    name: str
    members: tuple[str, ...]  # patterns of owners, as in *:assumed-role/Vision/*
    weight: float = 1.0  # its share of the budget, relative to other teams
    quota: Demand = NOTHING  # other teams may borrow what it does not use

    def has(self, owner: str) -> bool:
        return any(fnmatchcase(arn_for_patterns(owner), pattern) for pattern in self.members)


def team_of(owner: str, teams: Sequence[Team]) -> Team | None:
    """Returns the first team that has the owner as a member."""
    return next((team for team in teams if team.has(owner)), None)
