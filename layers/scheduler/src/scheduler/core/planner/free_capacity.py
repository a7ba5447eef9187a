"""Counts, by type, the instances that a plan in progress can still assign to jobs."""

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job


class FreeCapacity(dict[str, int]):
    """Holds mutable instance counts. Its methods must be fast: plans call them for thousands of jobs.

    The methods that take a job are for SharedCapacity, which also counts the instances that each team holds.
    """

    def has(self, demand: Demand) -> bool:
        for instance_type, count in demand.counts:  # noqa: SIM110 - twice as fast as all(…), and called a million times
            if self.get(instance_type, 0) < count:
                return False
        return True

    def take(self, demand: Demand) -> None:
        for instance_type, count in demand.counts:
            self[instance_type] = self.get(instance_type, 0) - count

    def take_up_to(self, demand: Demand) -> None:
        """Takes as much of the demand as is free. Negative counts do not change."""
        for instance_type, count in demand.counts:
            available = self.get(instance_type, 0)
            self[instance_type] = min(available, max(0, available - count))

    def give(self, demand: Demand) -> None:
        for instance_type, count in demand.counts:
            self[instance_type] = self.get(instance_type, 0) + count

    def copy(self) -> "FreeCapacity":
        return FreeCapacity(self)

    def seen_by(self, _job: Job) -> "FreeCapacity":
        """Returns a copy with the instances that the job's team may use."""
        return self.copy()

    def lacks(self, line: str, count: int) -> bool:
        return self.get(line, 0) < count

    def fits(self, job: Job) -> bool:
        return self.has(job.spec.demand)

    def fits_on_held(self, _job: Job) -> bool:
        """Returns whether the job's team may use instances that are already held, such as those of a warm pool."""
        return True

    def is_over_ceiling_with(self, _job: Job) -> bool:
        """Returns whether the job's team would hold more than its ceiling."""
        return False

    def take_for(self, job: Job) -> None:
        self.take(job.spec.demand)

    def take_up_to_for(self, job: Job) -> None:
        self.take_up_to(job.spec.demand)

    def hold(self, _job: Job, _demand: Demand) -> None:
        """Records that the job's team holds instances that are not taken from the free instances."""

    def give_back(self, _job: Job, demand: Demand) -> None:
        """Gives back the instances that the job held."""
        self.give(demand)

    def take_back(self, _job: Job, demand: Demand) -> None:
        """Reverts `give_back`."""
        self.take(demand)
