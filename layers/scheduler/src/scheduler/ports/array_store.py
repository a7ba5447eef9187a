"""The store of arrays: their records, their children's requests, and the creation of a child."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.children import ChildRequests
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.core.requests.arrays.parameters import ParameterSets


@dataclass(frozen=True, slots=True)
class ArrayPage:
    arrays: tuple[JobArray, ...]
    next_token: str | None = None


class ArrayStore(Protocol):
    def submit_array(self, array: JobArray, requests: ChildRequests, parameters: ParameterSets) -> None:
        """Adds a new array with its requests, parameters and client token. Raises NameTaken or TokenReused."""

    def array(self, name: str) -> JobArray:
        """Returns the array with this name. Reads consistently. Raises UnknownArray."""

    def save_array(self, array: JobArray, *, by: str) -> JobArray:
        """Writes the array, and returns it with its new version. `by` is as in `JobStore.save`. Raises StaleJob."""

    def create_child(self, array: JobArray, child: Job) -> JobArray:
        """Writes the array and a child's new job, or neither. Returns the array with its new version.

        Raises StaleJob if the array has changed, or NameTaken if another job has the child's name.
        """

    def parameters_of(self, array: JobArray, indexes: Sequence[int]) -> Mapping[int, Mapping[str, str]]:
        """Returns the parameters of children by name. Raises UnreadableBody or BodyUnavailable."""

    def due_arrays(self, limit: int) -> tuple[str, ...]:
        """Returns the names of arrays whose children may be created or cancelled now. The result may lag."""

    def unfinished_arrays(self, token: str | None, limit: int) -> ArrayPage:
        """Returns arrays with children that have not ended, in queue order. The result may lag.

        The page's token continues after these arrays; it is None after the last array.
        """

    def ended_arrays(self, limit: int) -> tuple[JobArray, ...]:
        """Returns the most recently finished arrays, latest first. The result may lag."""
