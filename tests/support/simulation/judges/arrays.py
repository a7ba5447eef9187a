"""Judges arrays: created children have jobs, no more run than allowed, and no child starts when it must not."""

from collections import Counter
from collections.abc import Mapping

from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.job_array import (
    BY_QUEUE,
    CANCELS_CHILDREN,
    ArrayEnd,
    ArrayState,
    ChildState,
    JobArray,
    state_of_child,
)
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.submissions.user_requests import UserRequests

#: Without faults: the lease of a function that died, one lost sweep, and two more.
_SWEPT_WITHIN = 90 + 3 * 60.0


class ArrayJudge:
    def __init__(self, account: Account, checks: Checks, user_requests: UserRequests) -> None:
        self._account, self._check, self._user_requests = account, checks.check, user_requests
        self._arrays: dict[str, JobArray] = {}
        self._blocked_since: dict[str, float] = {}  # arrays that are held or have been ended
        self._starts: list[tuple[float, Job]] = []  # of children, since the last check
        self._live: Counter[str] = Counter()

    def rest(self, jobs: Mapping[str, Job]) -> bool:
        """Returns whether no array creates children or acts on them.

        An array rests if the queue holds it because its stored request was replaced. It does not rest while its record
        lacks the state of a child: the next pass may create another child.
        """
        arrays = self._arrays.values()
        return not any(array.is_due or _is_held_by_user(array) or _lacks_a_state(array, jobs) for array in arrays)

    def is_one_held(self) -> bool:
        return any(array.state is ArrayState.HELD for array in self._arrays.values())

    def stays_open(self, name: str) -> bool:
        """Returns whether the array has not ended, and does not expire later."""
        array = self._arrays[name]
        return array.state is not ArrayState.ENDED and array.first.options.times.expires is None

    def array_changed(self, array: JobArray) -> None:
        old = self._arrays.get(array.name)
        self._arrays[array.name] = array
        if old is not None:
            self._check_change(old, array)
        if array.end in CANCELS_CHILDREN or array.state is ArrayState.HELD:
            self._blocked_since.setdefault(array.name, self._account.now)
        else:
            self._blocked_since.pop(array.name, None)

    def at_limit(self, job: Job) -> bool:
        """Returns whether the job's array already runs as many children as it allows."""
        return job.place is not None and 0 < job.place.at_most <= self._live[job.place.array]

    def note_start(self, job: Job) -> None:
        if job.place:
            self._starts.append((self._account.now, job))

    def check(self, jobs: Mapping[str, Job]) -> None:
        """Checks that exactly the created children have jobs, and that no more of them run than their arrays allow."""
        if not self._arrays:
            return
        self._live = Counter(job.place.array for job in jobs.values() if job.place and job.is_live)
        for array in self._arrays.values():
            created = {array.name_of(n) for n, letter in enumerate(array.children) if letter != ChildState.NOT_CREATED}
            exist = {job.name for job in jobs.values() if job.place and job.place.array == array.name}
            self._check("arrays", created == exist, f"{array.name} has created {created}, and {exist} exist")
            within = not array.at_most or self._live[array.name] <= array.at_most
            self._check("arrays", within, f"{self._live[array.name]} of {array.name} run, over {array.at_most}")

    def check_starts(self, calm_since: float) -> None:
        """Checks that, without faults, no child of a held or ended array starts."""
        for time, job in self._starts:
            assert job.place is not None
            blocked_since = max(calm_since, self._blocked_since.get(job.place.array, time))
            may_start = job.name in self._user_requests.revived or _continues(job, self._arrays[job.place.array])
            is_late = time > blocked_since + _SWEPT_WITHIN and not may_start
            self._check("arrays", not is_late, f"{job.name} starts, though its array is held or has ended")
        self._starts.clear()

    def check_end(self, jobs: Mapping[str, Job]) -> None:
        """Checks that no accepted array is lost, and that each array's record has the states of its children's jobs.

        A requeued child keeps its state in the record until it starts.
        """
        lost = self._user_requests.arrays - self._arrays.keys()
        self._check("arrays", not lost, f"accepted and gone: {lost}")
        for array in self._arrays.values():
            is_cancelled = array.end is ArrayEnd.CANCELLED or array.state is ArrayState.ENDED
            is_meant = array.name in self._user_requests.cancelled_arrays
            self._check("arrays", is_cancelled or not is_meant, f"{array.name} was cancelled, but is {array.state}")
            for number, letter in enumerate(array.children):
                name = array.name_of(number)
                job = jobs.get(name)
                state = state_of_child(job) if job else ChildState.NOT_CREATED
                is_requeued = name in self._user_requests.revived and job is not None and not job.is_finished
                self._check("arrays", letter == state or is_requeued, f"{name} is {state}, but {letter} in its array")

    def _check_change(self, old: JobArray, new: JobArray) -> None:
        created = new.count(ChildState.NOT_CREATED) < old.count(ChildState.NOT_CREATED)
        is_blocked = bool((old.end and new.end) or (old.held_by and new.held_by))
        self._check("arrays", not (created and is_blocked), f"{new.name} is {old.state}, and creates children")
        self._check("arrays", new.end is not None or old.end is None, f"{new.name} had ended, and goes on")
        most = new.most_failures
        exceeds = most is not None and new.count(ChildState.FAILED) > most
        self._check("arrays", new.end is not None or not exceeds, f"{new.name} goes on after {new.children}")


def _continues(job: Job, array: JobArray) -> bool:
    """Returns whether a child that has run goes on after too many failures of its array."""
    has_run = bool(job.status.history or job.status.earlier.count)
    return has_run and array.end is ArrayEnd.TOO_MANY_FAILURES and not array.held_by


def _lacks_a_state(array: JobArray, jobs: Mapping[str, Job]) -> bool:
    children = ((array.children[index], jobs.get(array.name_of(index))) for index in array.open_children())
    return any(child is not None and state_of_child(child) != letter for letter, child in children)


def _is_held_by_user(array: JobArray) -> bool:
    return array.state is ArrayState.HELD and array.held_by != BY_QUEUE
