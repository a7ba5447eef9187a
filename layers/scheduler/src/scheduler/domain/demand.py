"""Instances per instance type: what a job needs, what is held, what is free."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Demand:
    """A vector of instance counts by instance type; a type that is absent counts as zero."""

    counts: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "Demand":
        return cls(tuple(sorted((kind, count) for kind, count in counts.items() if count)))

    def __getitem__(self, instance_type: str) -> int:
        return dict(self.counts).get(instance_type, 0)

    def __iter__(self) -> Iterator[str]:
        return (instance_type for instance_type, _ in self.counts)

    def __add__(self, other: "Demand") -> "Demand":
        return Demand.of({kind: self[kind] + other[kind] for kind in {*self, *other}})

    def __sub__(self, other: "Demand") -> "Demand":
        return Demand.of({kind: self[kind] - other[kind] for kind in {*self, *other}})

    def __str__(self) -> str:
        return " + ".join(f"{count} × {kind}" for kind, count in self.counts) or "nothing"

    def fits(self, free: "Demand") -> bool:
        """Whether every count of this demand is there in `free`."""
        return all(count <= free[kind] for kind, count in self.counts)

    def shares_a_type_with(self, other: "Demand") -> bool:
        return not {*self}.isdisjoint({*other})

    def as_dict(self) -> dict[str, int]:
        return dict(self.counts)


def total(demands: Iterable[Demand]) -> Demand:
    return sum(demands, start=Demand())
