"""Instances per instance type: what a job needs, what is held, what is free."""

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

_ARN = re.compile(r"arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:\d{12}:training-plan/(?P<name>[A-Za-z0-9-]{1,64})")
_OF_PLAN = "@"


def is_plan_arn(arn: str) -> bool:
    return _ARN.fullmatch(arn) is not None


def budget_line_of(instance_type: str, plan: str | None) -> str:
    """The line from which a job takes instances of the type; `plan` is its TrainingPlanArn, if it names any."""
    return f"{instance_type}{_OF_PLAN}{plan.rpartition('/')[2]}" if plan else instance_type


def type_of(line: str) -> str:
    return line.partition(_OF_PLAN)[0]


def is_plan_line(line: str) -> bool:
    return _OF_PLAN in line


@frozen
class Demand:
    """A vector of instance counts by instance type; a type that is absent counts as zero.

    It has one or two entries in practice: walking over the pairs is faster than any look-up.
    """

    counts: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "Demand":
        return cls(tuple(sorted((kind, count) for kind, count in counts.items() if count)))

    def __getitem__(self, instance_type: str) -> int:
        for kind, count in self.counts:
            if kind == instance_type:
                return count
        return 0

    def __iter__(self) -> Iterator[str]:
        return (instance_type for instance_type, _ in self.counts)

    def __add__(self, other: "Demand") -> "Demand":
        return total((self, other))

    def __sub__(self, other: "Demand") -> "Demand":
        return total((self, Demand(tuple((kind, -count) for kind, count in other.counts))))

    def __str__(self) -> str:
        return " + ".join(f"{count} × {kind}" for kind, count in self.counts) or "nothing"

    def fits(self, free: "Demand") -> bool:
        """Whether every count of this demand is there in `free`."""
        for kind, count in self.counts:  # noqa: SIM110 - faster than all(…), and asked for each job of a plan
            if count > free[kind]:
                return False
        return True

    def shares_a_type_with(self, other: "Demand") -> bool:
        for kind, _ in self.counts:  # noqa: SIM110 - as above, and asked for each pair
            if other[kind]:
                return True
        return False

    def as_dict(self) -> dict[str, int]:
        return dict(self.counts)


NOTHING = Demand()


def total(demands: Iterable[Demand]) -> Demand:
    sums: dict[str, int] = {}
    for demand in demands:
        for kind, count in demand.counts:
            sums[kind] = sums.get(kind, 0) + count
    return Demand.of(sums)
