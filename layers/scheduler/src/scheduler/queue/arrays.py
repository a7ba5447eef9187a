"""Accepts arrays of jobs, shows them, and acts on whole arrays. The cycle creates their children."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scheduler.core.callers.permissions import Verb
from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.children import child_of
from scheduler.core.requests.arrays.job_array import ArrayEnd, ArrayState, JobArray, child_name, why_not_created
from scheduler.core.requests.job_update import JobUpdate
from scheduler.errors.internal import SchedulerError, StaleJob, UnknownArray, UnknownJob
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.errors.wrong_state import AlreadyFinished, WrongJobState
from scheduler.ports.array_store import ArrayStore
from scheduler.ports.job_store import API
from scheduler.queue.array_submission import ArrayBuilding, ArraySubmission, RefuseText
from scheduler.queue.job_actions import MAX_TRIES, JobActions
from scheduler.queue.job_status import JOB_NAME
from scheduler.queue.submission import Submissions

#: How many unfinished and how many ended arrays a list shows at most.
MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class Arrays:
    store: ArrayStore
    submissions: Submissions
    actions: JobActions
    refuse_invalid_text: RefuseText

    def submit(self, submission: ArraySubmission, caller: str) -> tuple[JobArray, bool]:
        """Submits an array. Returns it, and whether it is new. Raises BadRequest if any child is refused.

        A submission with the same name and content, and the same token, returns the same array.
        """
        submissions = self.submissions.for_one_call()
        submissions.admission.authorization.require(Verb.SUBMIT, caller)
        name = submission.name
        if existing := self._repeated(name, submission, caller):
            return existing, False
        array, requests, parameters = ArrayBuilding(submissions, self.refuse_invalid_text, submission, caller).result()
        try:
            self.store.submit_array(array, requests, parameters)
        except (NameTaken, TokenReused):
            if existing := self._repeated(name, submission, caller):
                return existing, False  # the same call arrived twice at the same time
            raise
        return array, True

    def get(self, name: str) -> JobArray:
        """Returns the array with this name. Raises UnknownArray."""
        if not JOB_NAME.fullmatch(name):
            raise UnknownArray(name)
        return self.store.array(name)

    def list(self) -> Sequence[JobArray]:
        """Returns unfinished arrays in queue order, then ended ones, the newest first."""
        return (*self.store.unfinished_arrays(None, MOST_LISTED).arrays, *self.store.ended_arrays(MOST_LISTED))

    def child_not_created(self, name: str) -> tuple[str, str] | None:
        """Returns the array of a child that does not exist yet, and why; None if no child will have this name."""
        array_name, _, index = name.rpartition("-")
        if not (index.isdecimal() and JOB_NAME.fullmatch(array_name)):
            return None
        try:
            array = self.store.array(array_name)
        except UnknownArray:
            return None
        number = int(index)
        if child_name(array_name, number) != name or number >= array.size:
            return None
        return array_name, why_not_created(array, number)

    def cancel(self, name: str, caller: str) -> JobArray:
        """Ends the array. The next cycle cancels the children that wait, and the next sweep the others."""
        return self._change(
            name, caller, lambda array: replace(array, end=ArrayEnd.CANCELLED, ended_by=array.ended_by or caller)
        )

    def hold(self, name: str, caller: str) -> JobArray:
        """Creates no more children, and holds those that wait."""
        array = self._change(name, caller, lambda array: replace(array, held_by=array.held_by or caller))
        self._act_on_open(array, lambda child: self.actions.hold(child, caller))
        return array

    def release(self, name: str, caller: str) -> JobArray:
        array = self._change(name, caller, lambda array: replace(array, held_by=""))
        self._act_on_open(array, lambda child: self.actions.release(child, caller))
        return array

    def prioritise(self, name: str, priority: int, caller: str) -> JobArray:
        """Changes the priority of all unfinished children. Raises RuleViolated for one that the rules do not allow."""
        array = self._change(name, caller, lambda array: self._with_priority(array, priority))
        self._act_on_open(array, lambda child: self.actions.update(child, JobUpdate({"priority": priority}), caller))
        return array

    def _with_priority(self, array: JobArray, priority: int) -> JobArray:
        now = self.submissions.clock.now()
        child = child_of(array, 0, self.store.parameters_of(array, [0])[0], now)
        promoted = replace(child, options=replace(child.options, priority=priority))
        if priority > child.options.priority:
            for option, raised in zip(child.each_choice, promoted.each_choice, strict=True):
                (request,) = self.submissions.jobs.requests_of([option])
                if isinstance(request, Exception):
                    raise request
                self.submissions.admission.admit_change(option, raised, request, now)
        return replace(array, first=replace(array.first, options=promoted.options))

    def _act_on_open(self, array: JobArray, action: Callable[[str], Job]) -> None:
        """Acts on each created child whose state allows it. Raises the first child's error after acting on all.

        A repeated call acts on the children that are left.
        """
        errors = list[SchedulerError]()
        for index in array.open_children():
            try:
                action(array.name_of(index))
            except (WrongJobState, UnknownJob):
                continue  # the child runs, or has ended
            except SchedulerError as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def _change(self, name: str, caller: str, change: Callable[[JobArray], JobArray]) -> JobArray:
        for _ in range(MAX_TRIES):
            array = self.get(name)
            self.submissions.admission.authorization.require_control(array.first, caller)
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
        """Returns the stored array if this submission repeats it, or None. Raises NameTaken."""
        try:
            existing = self.store.array(name)
        except UnknownArray:
            return None
        is_own = self.submissions.admission.authorization.owned_by(caller)(existing.first.owner)
        same = (existing.first.digest, existing.first.client_token) == (submission.digest, submission.client_token)
        if not (is_own and same):
            raise NameTaken(name)
        return existing
