"""Creates arrays' children when they can start, and records the states of children in their array's record.

The array's record shows each child's state as one letter. A child and its letter are written in one transaction, on the
condition that the array has not changed. All other letters are derived from the current states of the children's jobs.
So a check may be repeated, skipped or interrupted.
"""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from scheduler.core.jobs.dependencies.predecessor import Predecessor
from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.array_actions import as_array_asks
from scheduler.core.requests.arrays.children import after_predecessors, child_of
from scheduler.core.requests.arrays.job_array import BY_QUEUE, ChildState, JobArray, state_of_child
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import UnknownArray
from scheduler.errors.refusals import NameTaken
from scheduler.errors.unreadable import UnreadableBody
from scheduler.observe.predecessors import PredecessorReader
from scheduler.ports.job_store import SCHEDULE

logger = logging.getLogger(__name__)

#: How many due arrays one pass checks. They are not due afterwards, so the next pass checks others.
MOST_PER_PASS = 4
#: How many arrays one sweep checks, so that time is left to start jobs. The next sweep continues.
MOST_PER_SWEEP = 50


@dataclass(slots=True)
class Arrays:
    services: CycleServices
    live_jobs: LiveJobs
    steps: Steps
    _checks: Counter[str] = field(default_factory=Counter, init=False)  # the checks in this cycle, by array
    _has_open: bool = field(default=False, init=False)  # whether the sweep has found children that had not ended

    def check_changed(self) -> bool:
        """Checks due arrays, and arrays whose children started or ended. Returns whether any has changed."""
        due = self.services.stores.arrays.due_arrays(MOST_PER_PASS + len(self._checks))
        first = sorted(due, key=lambda name: self._checks[name])[:MOST_PER_PASS]  # the least checked ones
        names = dict.fromkeys([*first, *sorted(self.live_jobs.changed_children)])
        return sum(self._check(name) for name in self.steps.in_time(names)) > 0

    def sweep(self, token: str | None) -> str | None:
        """Checks the next unfinished arrays. Returns the token with which the next sweep continues."""
        page = self.services.stores.arrays.unfinished_arrays(token, MOST_PER_SWEEP)
        for array in self.steps.in_time(page.arrays):
            self._check(array.name)
        self._has_open = any(True for array in page.arrays for _ in array.open_children())
        return token if self.steps.is_out_of_time() else page.next_token

    def have_work(self) -> bool:
        """Returns whether a child may be created, or a checked array may have ended."""
        return self._has_open or bool(self.services.stores.arrays.due_arrays(1))

    def _check(self, name: str) -> bool:
        self._checks[name] += 1
        with self.steps.isolate("array", name), suppress(UnknownArray):  # an operator may have deleted its record
            stored = self.services.stores.arrays.array(name)
            array, unfinished = self._observed(stored, self.live_jobs.changed_children.pop(name, set()))
            array = array.ended_if_failing().ended_if_expired(self.services.clock.now())
            after = self._with_new_children(array)
            if after.version == stored.version and after is not stored:
                after = self.services.stores.arrays.save_array(after, by=SCHEDULE)
            has_acted, is_complete = self._act_on(after, unfinished)
            if after.wish and is_complete:
                after = self.services.stores.arrays.save_array(replace(after, wish=None), by=SCHEDULE)
            if after.is_finished:
                self.live_jobs.ended.add(name)  # for its successors
            return has_acted or after.version > stored.version
        return False

    def _observed(self, array: JobArray, touched: Collection[int]) -> tuple[JobArray, Sequence[Job]]:
        """Returns the array with the current states of its children, and the readable children that have not ended."""
        in_array = (live_job.job for live_job in self.live_jobs.live() if live_job.job.array == array.name)
        live = {index: job for job in in_array if (index := array.index_of(job.name)) is not None}
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
        """Creates as many children as the array has room for. Returns the array as stored afterwards."""
        first = array.next_index
        if first is None or not array.room:
            return array
        indexes = range(first, first + array.room)
        try:
            parameters = self.services.stores.arrays.parameters_of(array, indexes)
        except UnreadableBody as error:
            return replace(array, held_by=BY_QUEUE).with_problem(error.message)
        predecessors = self._predecessors(array)
        for index in self.steps.in_time(indexes):
            array = self._with_child(array, index, parameters[index], predecessors)
        logger.info("children", extra={"array": array.name, "first": first, "next": array.next_index})
        return array

    def _with_child(
        self, array: JobArray, index: int, values: Mapping[str, str], predecessors: Mapping[str, Predecessor]
    ) -> JobArray:
        now = self.services.clock.now()
        child = after_predecessors(child_of(array, index, values, now), predecessors, now)
        try:
            created = array.with_states({index: state_of_child(child)}, now)
            return self.services.stores.arrays.create_child(created, child)
        except NameTaken as error:
            known = self.services.stores.dependencies.predecessors([child.name]).get(child.name)
            if known and known.place == child.place:  # an operator has restored an older record of the array
                after = array.with_states({index: state_of_child(known)}, now)
            else:
                after = array.with_states({index: ChildState.FAILED}, now).with_problem(error.message)
            return self.services.stores.arrays.save_array(after, by=SCHEDULE)

    def _predecessors(self, array: JobArray) -> Mapping[str, Predecessor]:
        return PredecessorReader(self.services.stores.dependencies).of([array.first.options.dependencies])

    def _act_on(self, array: JobArray, unfinished: Sequence[Job]) -> tuple[bool, bool]:
        """Applies the array's request to the children. Returns whether any child changed, and whether no child is left
        to change.

        A child whose record causes an error is not tried again.
        """
        left, has_changed = {child.name for child in unfinished}, False
        for child in self.steps.in_time(unfinished):
            with self.steps.isolate("array", child):
                asked = as_array_asks(child, array, self.services.clock.now())
                if asked is not child:
                    self.live_jobs.replace_job(self.services.stores.jobs.save(asked, by=SCHEDULE))
                    self.live_jobs.changed_children.setdefault(array.name, set())
                    has_changed = True
                left.discard(child.name)
        return has_changed, left <= self.steps.set_aside
