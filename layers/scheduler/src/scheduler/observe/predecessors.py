"""Reads the jobs and arrays that jobs wait for."""

from collections.abc import Iterable
from dataclasses import dataclass

from scheduler.core.jobs.dependencies.predecessor import Predecessor, UnreadablePredecessor
from scheduler.core.jobs.start_conditions import JobDependencies, array_key
from scheduler.ports.job_index import Dependencies


@dataclass(frozen=True, slots=True)
class PredecessorReader:
    store: Dependencies

    def of(self, dependencies: Iterable[JobDependencies]) -> dict[str, Predecessor]:
        """Returns the existing jobs and arrays that the dependencies name, by their keys."""
        every = [*dependencies]
        arrays = {name for one in every for name in one.arrays}
        names = {name for one in every for name in one.predecessors if name not in one.arrays}
        found: dict[str, Predecessor] = {**self.store.predecessors(names)} if names else {}
        if arrays:
            for name, array in self.store.arrays_named(arrays).items():
                found[array_key(name)] = array or UnreadablePredecessor()
        return found
