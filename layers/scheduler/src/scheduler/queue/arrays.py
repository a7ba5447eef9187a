"""Accepts arrays of jobs, shows them, and acts on whole arrays. The cycle creates their children."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.admission.admission import WaitingJobs
from scheduler.core.callers.permissions import Verb
from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.array_actions import approved, cancelled, held, prioritised, released
from scheduler.core.requests.arrays.children import child_of
from scheduler.core.requests.arrays.job_array import ArrayState, JobArray
from scheduler.errors.internal import StaleJob, UnknownArray
from scheduler.errors.refusals import NameTaken, NameUsed, TokenReused
from scheduler.errors.wrong_state import AlreadyFinished, NoApprovalNeeded
from scheduler.ports.array_store import ArrayStore
from scheduler.ports.job_store import API
from scheduler.ports.training import TrainingRequest
from scheduler.queue.array_submission import ArrayBuilding, ArraySubmission, RefuseText
from scheduler.queue.job_actions import MAX_TRIES
from scheduler.queue.job_status import JOB_NAME
from scheduler.queue.submission import Submissions

#: The most unfinished and the most finished arrays that a list shows.
MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class Arrays:
    store: ArrayStore
    submissions: Submissions
    refuse_invalid_text: RefuseText

    def submit(self, submission: ArraySubmission, caller: str) -> tuple[JobArray, bool]:
        """Submits an array. Returns it, and whether it is new. Raises BadRequest if any child is refused.

        A submission with the same name and content, and the same token, returns the same array. Without a token, it
        does so until the array ends.
        """
        submissions = self.submissions.for_one_call()
        submissions.admission.authorization.require(Verb.SUBMIT, caller)
        name = submission.name
        if existing := self._repeated(name, submission, caller):
            return existing, False
        building = ArrayBuilding(submissions, self.refuse_invalid_text, submission, caller)
        array, requests, parameters = building.result()
        submissions.admission.refuse_another_waiting(caller, self._count_waiting, array.will_wait)
        try:
            self.store.submit_array(array, requests, parameters)
        except (NameTaken, TokenReused):
            if existing := self._repeated(name, submission, caller):
                return existing, False  # the same call arrived twice at the same time
            raise
        return array, True

    def _count_waiting(self, is_owner: Callable[[str], bool]) -> int:
        """Counts the owner's waiting jobs, including the children that will soon be created."""
        to_come = sum(array.will_wait for array in self._unfinished() if is_owner(array.first.owner))
        return to_come + WaitingJobs(self.submissions.index).count(is_owner)

    def _unfinished(self) -> Iterator[JobArray]:
        page = self.store.unfinished_arrays(None, MOST_LISTED)
        yield from page.arrays
        while page.next_token is not None:
            page = self.store.unfinished_arrays(page.next_token, MOST_LISTED)
            yield from page.arrays

    def get(self, name: str) -> JobArray:
        """Returns the array with this name. Raises UnknownArray."""
        if not JOB_NAME.fullmatch(name):
            raise UnknownArray(name)
        return self.store.array(name)

    def list(self) -> Sequence[JobArray]:
        """Returns unfinished arrays in queue order, then finished arrays, most recent first."""
        return (*self.store.unfinished_arrays(None, MOST_LISTED).arrays, *self.store.ended_arrays(MOST_LISTED))

    # The actions write only the array's record. The next check applies them to the children that exist.

    def cancel(self, name: str, caller: str) -> JobArray:
        """Ends the array, and cancels its waiting and running children."""
        return self._change(name, caller, lambda array: cancelled(array, caller))

    def hold(self, name: str, caller: str) -> JobArray:
        """Creates no more children, and holds the waiting children."""
        return self._change(name, caller, lambda array: held(array, caller))

    def release(self, name: str, caller: str) -> JobArray:
        """Creates children again, and releases all held children."""
        return self._change(name, caller, lambda array: released(array, caller))

    def prioritise(self, name: str, priority: int, caller: str) -> JobArray:
        """Changes the priority of all unfinished children.

        Raises RuleViolated if the rules refuse it for the first child.
        """
        return self._change(name, caller, lambda array: self._with_priority(array, priority, caller))

    def approve(self, name: str, caller: str, max_runtime: int | None = None) -> JobArray:
        """Approves all children of another owner's array, up to a time limit.

        Raises NoApprovalNeeded if the rules require no approval for the first child.
        """
        return self._change(name, caller, lambda array: self._approved(array, caller, max_runtime), approves=True)

    def _with_priority(self, array: JobArray, priority: int, caller: str) -> JobArray:
        now = self.submissions.clock.now()
        if priority > array.first.options.priority:
            for option, request in self._choices_of_first(array, now):
                raised = replace(option, options=replace(option.options, priority=priority))
                self.submissions.admission.admit_change(option, raised, request, now)
        return prioritised(array, priority, caller)

    def _approved(self, array: JobArray, caller: str, max_runtime: int | None) -> JobArray:
        if array.first.status.approval:  # the time limits of an array never change
            return array
        admission, now = self.submissions.admission, self.submissions.clock.now()
        after = approved(array, caller, now, max_runtime)
        configuration, choices = admission.configuration.current(), self._choices_of_first(array, now)
        if not any(admission.verdict(configuration, option, request, now).approvable for option, request in choices):
            raise NoApprovalNeeded(array.name)
        return after

    def _choices_of_first(self, array: JobArray, now: datetime) -> Iterator[tuple[Job, TrainingRequest]]:
        """Yields each choice of the first child, with its request. Raises UnreadableBody or BodyUnavailable."""
        child = child_of(array, 0, self.store.parameters_of(array, [0])[0], now)
        for option in child.each_choice:
            (request,) = self.submissions.jobs.requests_of([option])
            if isinstance(request, Exception):
                raise request
            yield option, request

    def _change(
        self, name: str, caller: str, change: Callable[[JobArray], JobArray], *, approves: bool = False
    ) -> JobArray:
        authorization = self.submissions.admission.authorization
        require = authorization.require_approver if approves else authorization.require_control
        for _ in range(MAX_TRIES):
            array = self.get(name)
            require(array.first, caller)
            if array.state is ArrayState.ENDED:
                raise AlreadyFinished(name, array.state)
            changed = change(array)
            if changed == array:
                return array
            try:
                return self.store.save_array(replace(changed, updated_at=self.submissions.clock.now()), by=API)
            except StaleJob:
                continue  # a cycle wrote the array in the meantime: read it again
        raise StaleJob(name)

    def _repeated(self, name: str, submission: ArraySubmission, caller: str) -> JobArray | None:
        """Returns the stored array if this submission repeats it, or None. Raises NameTaken or NameUsed."""
        try:
            existing = self.store.array(name)
        except UnknownArray:
            return None
        is_own = self.submissions.admission.authorization.owned_by(caller)(existing.first.owner)
        same = (existing.first.digest, existing.first.client_token) == (submission.digest, submission.client_token)
        if not (is_own and same):
            raise NameTaken(name)
        if submission.client_token is None and existing.is_finished:
            raise NameUsed(name, existing.first.submitted_at, existing.state)
        return existing
