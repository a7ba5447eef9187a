"""Defines the budget: the number of instances of each type that the queue may hold at once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scheduler.core.jobs.demand import BUDGET_LINE, Demand
from scheduler.errors.internal import BadSetting

# One entry in the setting, for example "ml.p5.48xlarge=2" or "ml.m5.large@processing=4".
_ENTRY = re.compile(rf"(?P<line>{BUDGET_LINE.pattern})=(?P<count>\d{{1,6}})")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits the instances on each budget line. Jobs cannot use lines that are not named."""

    limit: Demand
    types: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """Parses "ml.p5.48xlarge=2,ml.g5.xlarge=4". Raises BadSetting for the first invalid entry."""
        counts: dict[str, int] = {}
        for entry in text.split(","):
            match = _ENTRY.fullmatch(entry.strip())
            if match is None:
                raise BadSetting("INSTANCE_BUDGET", f"{entry.strip()!r} is not of the form ml.g5.xlarge=4")
            if match["line"] in counts:
                raise BadSetting("INSTANCE_BUDGET", f"{match['line']} is given twice")
            counts[match["line"]] = int(match["count"])
        return cls.of(counts)

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "Budget":
        return cls(limit=Demand.of(counts), types=tuple(sorted(counts)))

    def as_dict(self) -> dict[str, int]:
        """Returns the limit of every named line, including limits of 0."""
        return {line: self.limit[line] for line in self.types}

    def maximum_with(self, other: "Budget") -> "Budget":
        """Returns a budget with the larger of the two limits for each line."""
        return self.of({line: max(self.limit[line], other.limit[line]) for line in {*self.types, *other.types}})

    def could_ever_run(self, demand: Demand) -> bool:
        return demand.fits(self.limit)

    def reduced_by(self, held: Demand) -> "Budget":
        """Returns the budget that remains without the instances `held`; negative if they exceed a limit."""
        return replace(self, limit=self.limit - Demand(tuple((line, held[line]) for line in self.types)))
