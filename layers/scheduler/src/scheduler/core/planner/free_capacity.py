"""Instances by type that a plan in the making can still give away."""

from scheduler.core.jobs.demand import Demand


class FreeCapacity(dict[str, int]):
    """The mutable counterpart of a Demand: plans of thousands of jobs are made of these three operations."""

    def has(self, demand: Demand) -> bool:
        for kind, count in demand.counts:  # noqa: SIM110 - twice as fast as all(…), and asked a million times
            if self.get(kind, 0) < count:
                return False
        return True

    def take(self, demand: Demand) -> None:
        for kind, count in demand.counts:
            self[kind] = self.get(kind, 0) - count

    def take_up_to(self, demand: Demand) -> None:
        """Take what there is of the demand; what is overdrawn already stays so."""
        for kind, count in demand.counts:
            there = self.get(kind, 0)
            self[kind] = min(there, max(0, there - count))

    def give(self, demand: Demand) -> None:
        for kind, count in demand.counts:
            self[kind] = self.get(kind, 0) + count

    def copy(self) -> "FreeCapacity":
        return FreeCapacity(self)
