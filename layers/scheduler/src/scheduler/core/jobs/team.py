"""Teams that share the budget: their members, weights and guaranteed instances."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from scheduler.core.jobs.demand import NOTHING, Demand, total
from scheduler.core.jobs.principal import arn_for_patterns, names_session
from scheduler.errors.internal import BadSetting

MAX_WEIGHT = 1000
_KEYS = ("guarantee", "members", "weight")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Team:
    name: str
    members: tuple[str, ...]  # patterns of owners, as in *:assumed-role/Vision/*
    weight: float = 1.0  # its share of the budget, relative to other teams
    guarantee: Demand = NOTHING  # other teams may borrow what it does not use

    @classmethod
    def parse_all(cls, teams: object, budget: Demand) -> tuple["Team", ...]:
        """Parses `{name: {members, weight, guarantee}}`. Raises BadSetting with the key and what is allowed."""
        if not isinstance(teams, Mapping):
            problem = "is not an object with the members, weight and guarantee of each team by its name"
            raise BadSetting("teams", problem)
        read = tuple(_team(name, values) for name, values in sorted(teams.items()))
        guaranteed = total(team.guarantee for team in read)
        for line, count in guaranteed.counts:
            if count > budget[line]:
                raise BadSetting(f"teams.*.guarantee.{line}", f"{count} in all is not from 0 to {budget[line]}")
        return read

    def has(self, owner: str) -> bool:
        return any(fnmatchcase(arn_for_patterns(owner), pattern) for pattern in self.members)


def team_of(owner: str, teams: Sequence[Team]) -> Team | None:
    """Returns the first team that has the owner as a member."""
    return next((team for team in teams if team.has(owner)), None)


def _team(name: str, values: object) -> Team:
    key = f"teams.{name}"
    if not _NAME.fullmatch(name):
        raise BadSetting(key, "is not a name of 1 to 64 letters, digits, - and _")
    if not isinstance(values, Mapping):
        raise BadSetting(key, f"is not an object with {', '.join(_KEYS)}")
    if unknown := sorted(values.keys() - {*_KEYS}):
        raise BadSetting(f"{key}.{unknown[0]}", f"is not known; there are {', '.join(_KEYS)}")
    return Team(
        name,
        _members(f"{key}.members", values.get("members")),
        _weight(f"{key}.weight", values.get("weight", 1.0)),
        _guarantee(f"{key}.guarantee", values.get("guarantee", {})),
    )


def _members(key: str, patterns: Any) -> tuple[str, ...]:
    if (
        not isinstance(patterns, list)
        or not patterns
        or not all(isinstance(pattern, str) and pattern for pattern in patterns)
    ):
        raise BadSetting(key, "is not a list of patterns of owners, as in *:assumed-role/Vision/*")
    if named := next(filter(names_session, patterns), None):
        raise BadSetting(key, f"{named} names a session, whose name its caller chooses: end it with /*")
    return tuple(patterns)


def _weight(key: str, weight: Any) -> float:
    if type(weight) not in (int, float) or not 0 < weight <= MAX_WEIGHT:
        raise BadSetting(key, f"{weight!r} is not a number above 0 and up to {MAX_WEIGHT}")
    return float(weight)


def _guarantee(key: str, guarantee: Any) -> Demand:
    if not isinstance(guarantee, Mapping):
        raise BadSetting(key, "is not an object with counts by instance types")
    for instance_type, count in guarantee.items():
        if type(count) is not int or count < 0:
            raise BadSetting(f"{key}.{instance_type}", f"{count!r} is not a whole number from 0")
    return Demand.of(guarantee)
