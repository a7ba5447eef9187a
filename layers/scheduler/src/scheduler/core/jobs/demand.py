"""Counts instances by budget line: instances that a job needs, that attempts hold, or that are free."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

#: A budget line is an instance type, or the instances of that type that a training plan reserves. A plan's instances
#: are separate from on-demand instances (aws-facts 2.58): `ml.p5.48xlarge@winter` counts those of the plan `winter`. A
#: plan's name is unique in an account and region. SageMaker's quotas for processing jobs are separate, too:
#: `ml.m5.large@processing` counts the instances for processing jobs, so no plan may have the name `processing`.
_MARK = "@"
PROCESSING = "processing"

#: An instance type.
INSTANCE_TYPE = re.compile(r"ml\.[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}")
#: A budget line that users may name. The lines for training plans come from the calendar.
BUDGET_LINE = re.compile(rf"{INSTANCE_TYPE.pattern}({_MARK}{PROCESSING})?")


@dataclass(frozen=True, slots=True)
class Demand:
    """Holds instance counts by budget line. A line that is absent counts as zero."""

    # In practice, there are one or two entries, so iterating over the pairs is faster than a look-up.
    counts: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "Demand":
        return cls(tuple(sorted((line, count) for line, count in counts.items() if count)))

    def __getitem__(self, line: str) -> int:
        for known, count in self.counts:
            if known == line:
                return count
        return 0

    def __iter__(self) -> Iterator[str]:
        return (line for line, _ in self.counts)

    def __add__(self, other: "Demand") -> "Demand":
        return total((self, other))

    def __sub__(self, other: "Demand") -> "Demand":
        return total((self, Demand(tuple((line, -count) for line, count in other.counts))))

    def __str__(self) -> str:
        return " + ".join(f"{count} × {line}" for line, count in self.counts) or "nothing"

    def fits(self, free: "Demand") -> bool:
        """Returns whether `free` has enough instances for every line of this demand."""
        for line, count in self.counts:  # noqa: SIM110 - faster than all(…), and called for each job of a plan
            if count > free[line]:
                return False
        return True

    def shares_a_type_with(self, other: "Demand") -> bool:
        for line, _ in self.counts:  # noqa: SIM110 - as above, and called for each pair
            if other[line]:
                return True
        return False

    def as_dict(self) -> dict[str, int]:
        return dict(self.counts)


NOTHING = Demand()


def total(demands: Iterable[Demand]) -> Demand:
    sums: dict[str, int] = {}
    for demand in demands:
        for line, count in demand.counts:
            sums[line] = sums.get(line, 0) + count
    return Demand.of(sums)


@dataclass(frozen=True, slots=True)
class InstanceRange:
    """Holds the numbers of instances on which an elastic job may run: its widths."""

    min: int
    max: int
    step: int = 1

    @property
    def widths(self) -> tuple[int, ...]:
        """Returns the numbers of instances, the largest first."""
        return tuple(range(self.max, self.min - 1, -self.step))

    def __str__(self) -> str:
        return f"{self.min}-{self.max}/{self.step}"


def budget_line_of(instance_type: str, plan: str | None) -> str:
    """Returns the budget line for a job's instances of this type; `plan` is the job's TrainingPlanArn, if any."""
    return f"{instance_type}{_MARK}{plan.rpartition('/')[2]}" if plan else instance_type


def processing_line_of(instance_type: str) -> str:
    """Returns the budget line for a processing job's instances of this type."""
    return f"{instance_type}{_MARK}{PROCESSING}"


def type_of(line: str) -> str:
    return line.partition(_MARK)[0]


def is_processing_line(line: str) -> bool:
    return line.partition(_MARK)[2] == PROCESSING


def is_plan_line(line: str) -> bool:
    return _MARK in line and not is_processing_line(line)
