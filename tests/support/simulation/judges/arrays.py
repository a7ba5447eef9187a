"""Judges arrays: a created child has a job, no more of them run than allowed, and in the end each letter is right."""

from collections import Counter
from collections.abc import Mapping

from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.job_array import ArrayState, ChildState, JobArray, state_of_child
from support.simulation.judges.checks import Checks


class ArrayJudge:
    def __init__(self, checks: Checks) -> None:
        self._check = checks.check
        self._arrays: dict[str, JobArray] = {}

    @property
    def have_ended(self) -> bool:
        return all(array.state is ArrayState.ENDED for array in self._arrays.values())

    def array_changed(self, array: JobArray) -> None:
        self._arrays[array.name] = array

    def check(self, jobs: Mapping[str, Job]) -> None:
        """Checks that exactly the created children have jobs, and that no more of them run than their arrays allow."""
        if not self._arrays:
            return
        live = Counter(job.place.array for job in jobs.values() if job.place and job.is_live)
        for array in self._arrays.values():
            created = {array.name_of(n) for n, letter in enumerate(array.children) if letter != ChildState.NOT_CREATED}
            exist = {job.name for job in jobs.values() if job.place and job.place.array == array.name}
            self._check("arrays", created == exist, f"{array.name} has created {created}, and {exist} exist")
            within = not array.at_most or live[array.name] <= array.at_most
            self._check("arrays", within, f"{live[array.name]} of {array.name} run, over {array.at_most}")

    def check_end(self, jobs: Mapping[str, Job]) -> None:
        """Checks that the states of children in their array's record are those of their jobs."""
        for array in self._arrays.values():
            names = [array.name_of(number) for number in range(array.size)]
            letters = [state_of_child(jobs[name]) if name in jobs else ChildState.NOT_CREATED for name in names]
            self._check("arrays", array.children == "".join(letters), f"{array.name}: {array.children}, not {letters}")
