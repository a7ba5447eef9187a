"""Creates the children of arrays when they can start, and records the states of children in their array's record.

A child and its letter are written in one transaction, on the condition that the array has not changed. All other
letters follow from the current states of the children's jobs. So a check may be repeated, skipped or interrupted.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.children import after_predecessors, child_of
from scheduler.core.requests.arrays.job_array import ArrayEnd, ChildState, JobArray, state_of_child
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.refusals import NameTaken
from scheduler.ports.job_store import SCHEDULE

logger = logging.getLogger(__name__)

#: How many due arrays one pass checks. They are not due afterwards, so the next pass serves others.
MOST_PER_PASS = 4
#: How many arrays one sweep checks, so that time is left to start jobs. The next sweep continues.
MOST_PER_SWEEP = 50


@dataclass(frozen=True, slots=True)
class Arrays:
    services: CycleServices
    live_jobs: LiveJobs
    steps: Steps
    _failed: set[str] = field(default_factory=set, init=False)  # arrays whose check failed in this cycle

    def check_changed(self) -> bool:
        """Checks due arrays, and those whose children started or ended. Returns whether any has changed."""
        touched = self.live_jobs.changed_children
        due = self.services.stores.arrays.due_arrays(MOST_PER_PASS + len(self._failed))
        first = [name for name in due if name not in self._failed][:MOST_PER_PASS]
        names = dict.fromkeys([*first, *sorted(touched)])
        return sum(self._check(name) for name in self.steps.in_time(names)) > 0

    def sweep(self, token: str | None) -> str | None:
        """Checks the next unfinished arrays. Returns the token with which the next sweep continues."""
        page = self.services.stores.arrays.unfinished_arrays(token, MOST_PER_SWEEP)
        for array in self.steps.in_time(page.arrays):
            self._check(array.name)
        return page.next_token

    def have_work(self) -> bool:
        """Returns whether a child may be created, or may have ended."""
        first = self.services.stores.arrays.unfinished_arrays(None, MOST_PER_SWEEP).arrays
        return any(array.room or any(array.open_children()) for array in first)

    def _check(self, name: str) -> bool:
        self._failed.add(name)
        with self.steps.isolate("array", name):
            stored = self.services.stores.arrays.array(name)
            array, unfinished = self._observed(stored, self.live_jobs.changed_children.pop(name, set()))
            array = array.ended_if_failing()
            after = self._with_new_children(array)
            if after is array and array is not stored:
                after = self.services.stores.arrays.save_array(array, by=SCHEDULE)
            has_cancelled = self._cancel_children(after, unfinished)
            self._failed.discard(name)
            return after is not stored or has_cancelled
        return False

    def _observed(self, array: JobArray, touched: Collection[int]) -> tuple[JobArray, Sequence[Job]]:
        """Returns the array with the current states of its children, and the readable children that have not ended."""
        live = {
            live_job.job.place.index: live_job.job
            for live_job in self.live_jobs.live()
            if live_job.job.place and live_job.job.place.array == array.name
        }
        others = {index: array.name_of(index) for index in {*array.open_children(), *touched} - live.keys()}
        jobs = self.services.stores.dependencies.predecessors(others.values()) if others else {}
        # Only an operator deletes the record of a job.
        states = {
            index: state_of_child(jobs[name]) if name in jobs else ChildState.STOPPED for index, name in others.items()
        }
        states |= dict.fromkeys(live, ChildState.LIVE)
        unfinished = [job for job in (*jobs.values(), *live.values()) if job.is_readable and not job.is_finished]
        return array.with_states(states, self.services.clock.now()), unfinished

    def _with_new_children(self, array: JobArray) -> JobArray:
        """Creates as many children as the array has room for. Returns the array as it is then stored."""
        first = array.next_index
        if first is None or not array.room:
            return array
        indexes = range(first, first + array.room)
        parameters = self.services.stores.arrays.parameters_of(array, indexes)
        predecessors = self._predecessors(array)
        for index in self.steps.in_time(indexes):
            array = self._with_child(array, index, parameters[index], predecessors)
        logger.info("children", extra={"array": array.name, "first": first, "next": array.next_index})
        return array

    def _with_child(
        self, array: JobArray, index: int, values: Mapping[str, str], predecessors: Mapping[str, Job]
    ) -> JobArray:
        now = self.services.clock.now()
        child = after_predecessors(child_of(array, index, values, now), predecessors, now)
        try:
            created = array.with_states({index: state_of_child(child)}, now)
            return self.services.stores.arrays.create_child(created, child)
        except NameTaken as error:
            failed = array.with_states({index: ChildState.FAILED}, now)
            return self.services.stores.arrays.save_array(failed.with_problem(error.message), by=SCHEDULE)

    def _predecessors(self, array: JobArray) -> Mapping[str, Job]:
        names = array.first.options.dependencies.predecessors
        return self.services.stores.dependencies.predecessors(names) if names else {}

    def _cancel_children(self, array: JobArray, unfinished: Sequence[Job]) -> bool:
        """Cancels the children of an ended array. After too many failures, running children go on."""
        if array.end is None:
            return False
        has_changed = False
        by = array.ended_by or f"the limit of failures of {array.name}"
        for child in self.steps.in_time(unfinished):
            if child.was_cancelled or (child.is_live and array.end is ArrayEnd.TOO_MANY_FAILURES):
                continue
            with self.steps.isolate("array", child):
                cancelled = user_actions.cancel(child, by, self.services.clock.now())
                self.live_jobs.replace_job(self.services.stores.jobs.save(cancelled, by=SCHEDULE))
                self.live_jobs.changed_children.setdefault(array.name, set())
                has_changed = True
        return has_changed
