"""Shows children that do not exist yet, in the form in which their arrays will create them."""

from dataclasses import dataclass

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.arrays.children import child_of
from scheduler.core.requests.arrays.job_array import ArrayEnd, JobArray, why_not_created
from scheduler.errors.internal import UnknownArray, UnknownJob
from scheduler.ports.array_store import ArrayStore
from scheduler.queue.job_status import JOB_NAME


@dataclass(frozen=True, slots=True)
class ChildrenToCome:
    store: ArrayStore

    def job(self, name: str) -> Job:
        """Returns a child's job as its array will create it. Raises UnknownJob if no child has this name.

        If the array has ended without it, the job counts as stopped.
        """
        try:
            array = self.store.array(_array_of(name))
        except UnknownArray:
            raise UnknownJob(name) from None
        index = array.index_of(name)
        if index is None:
            raise UnknownJob(name)
        return self._child_to_come(array, index)

    def _child_to_come(self, array: JobArray, index: int) -> Job:
        since = array.first.submitted_at
        child = child_of(array, index, self.store.parameters_of(array, [index])[index], since)
        state, code = JobState.PENDING, ReasonCode.ARRAY_LIMIT
        if array.end:
            code = ReasonCode.EXPIRED if array.end is ArrayEnd.EXPIRED else ReasonCode.CANCELLED
            state, since = JobState.STOPPED, array.updated_at or since
        elif array.held_by:
            state, code = JobState.HELD, ReasonCode.HELD
        return child.moved_to(state, Reason(code, why_not_created(array, index)), since)


def _array_of(child: str) -> str:
    """Returns the name of the array that may have this child. Raises UnknownJob."""
    name = child.rpartition("-")[0]
    if not JOB_NAME.fullmatch(name):
        raise UnknownJob(child)
    return name
