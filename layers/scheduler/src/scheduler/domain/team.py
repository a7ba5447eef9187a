"""Teams that share the budget: what each is worth, and what it can always have back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from scheduler.domain.demand import NOTHING, Demand, total
from scheduler.errors import BadSetting

MAX_WEIGHT = 1000
_KEYS = {"members", "weight", "guarantee"}


@dataclass(frozen=True, slots=True)
class Team:
    name: str
    members: tuple[str, ...]  # patterns of owners, as in *:assumed-role/Vision/*
    weight: float = 1.0
    guarantee: Demand = NOTHING  # others may borrow what it does not use

    @classmethod
    def parse_all(cls, teams: Mapping[str, Mapping[str, Any]], budget: Demand) -> tuple["Team", ...]:
        """Read `{name: {members, weight, guarantee}}`. Raises BadSetting with the key and what is allowed."""
        read = tuple(cls._parse(name, values) for name, values in sorted(teams.items()))
        promised = total(team.guarantee for team in read)
        for kind, count in promised.counts:
            if count > budget[kind]:
                raise BadSetting(f"teams.*.guarantee.{kind}", f"{count} in all is not from 0 to {budget[kind]}")
        return read

    @classmethod
    def _parse(cls, name: str, values: Mapping[str, Any]) -> "Team":
        if unknown := sorted(values.keys() - _KEYS):
            raise BadSetting(f"teams.{name}.{unknown[0]}", f"is not known; there are {', '.join(sorted(_KEYS))}")
        weight = values.get("weight", 1.0)
        if not isinstance(weight, int | float) or not 0 < weight <= MAX_WEIGHT:
            raise BadSetting(f"teams.{name}.weight", f"{weight!r} is not a number above 0 and up to {MAX_WEIGHT}")
        guarantee = values.get("guarantee", {})
        for kind, count in guarantee.items():
            if not isinstance(count, int) or count < 0:
                raise BadSetting(f"teams.{name}.guarantee.{kind}", f"{count!r} is not a whole number from 0")
        return cls(name, tuple(values.get("members", ())), float(weight), Demand.of(guarantee))

    def has(self, owner: str) -> bool:
        return any(fnmatchcase(owner, pattern) for pattern in self.members)


def team_of(owner: str, teams: Sequence[Team]) -> Team | None:
    """The first team that has the owner as a member."""
    return next((team for team in teams if team.has(owner)), None)
