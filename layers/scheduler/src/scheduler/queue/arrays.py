"""Accepts arrays of jobs, shows them, and acts on whole arrays. The cycle creates their children."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from scheduler.core.callers.permissions import Verb
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.requests.alternatives import expand_alternatives
from scheduler.core.requests.arrays.children import NAME, ChildRequests, Request, as_pattern, child_of
from scheduler.core.requests.arrays.job_array import ArrayEnd, ArrayState, JobArray, child_name, why_not_created
from scheduler.core.requests.arrays.parameters import INDEX, ParameterSets, read_parameters
from scheduler.core.requests.arrays.placeholders import Path, Template, filled, filled_request, names_used, templates_in
from scheduler.core.requests.options import read_options
from scheduler.core.requests.request_reading import digest_of, refuse_unsupported
from scheduler.errors.internal import StaleJob, UnknownArray, UnknownJob
from scheduler.errors.refusals import BadRequest, NameTaken, TokenReused, bad_field, shown
from scheduler.errors.wrong_state import AlreadyFinished
from scheduler.ports.array_store import ArrayStore
from scheduler.ports.job_store import API
from scheduler.queue.job_actions import MAX_TRIES, JobActions
from scheduler.queue.job_status import JOB_NAME
from scheduler.queue.submission import Submission, Submissions

_LONGEST_NAME = 63
#: How many unfinished and how many ended arrays a list shows at most.
MOST_LISTED = 100
#: Raises BadRequest if a text may not stand at this place of a CreateTrainingJob request.
RefuseText = Callable[[Path, str], None]


@dataclass(frozen=True, slots=True)
class ArraySubmission:
    """A user's submission of an array: as that of a job, with parameters and limits."""

    request: dict[str, Any]
    parameters: object
    options: Mapping[str, Any] = field(default_factory=dict)
    at_most: int = 0
    most_failures: int | None = None
    client_token: str | None = None

    @property
    def digest(self) -> str:
        limits = {"at_most": self.at_most, "most_failures": self.most_failures}
        given = {"request": self.request, "parameters": self.parameters, "options": {**self.options}}
        return digest_of({**given, **limits})


@dataclass(frozen=True, slots=True)
class Arrays:
    store: ArrayStore
    submissions: Submissions
    actions: JobActions
    refuse_invalid_text: RefuseText

    def submit(self, submission: ArraySubmission, caller: str) -> tuple[JobArray, bool]:
        """Submits an array. Returns it, and whether it is new. Raises BadRequest if any child is refused.

        A submission with the same name and content, and the same token, stands for the same array.
        """
        self.submissions.admission.authorization.require(Verb.SUBMIT, caller)
        name = _name_in(submission.request)
        if existing := self._repeated(name, submission, caller):
            return existing, False
        array, requests, parameters = _Building(
            self.submissions.for_one_call(), self.refuse_invalid_text, submission, name, caller
        ).result()
        try:
            self.store.submit_array(array, requests, parameters)
        except (NameTaken, TokenReused):
            if existing := self._repeated(name, submission, caller):
                return existing, False  # the same call arrived twice at the same time
            raise
        return array, True

    def get(self, name: str) -> JobArray:
        """Raises UnknownArray."""
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
        """Ends the array. The next cycle cancels its children."""
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
        self._act_on_open(array, lambda child: self.actions.prioritise(child, priority, caller))
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
                self.submissions.admission.refuse_promotion(option, raised, request, now)
        return replace(array, first=replace(array.first, options=promoted.options))

    def _act_on_open(self, array: JobArray, action: Callable[[str], Job]) -> None:
        """Acts on the created children to which the action applies. A repeated call acts on those that are left."""
        for index in array.open_children():
            try:
                action(array.name_of(index))
            except (BadRequest, UnknownJob):
                continue  # this child's state does not allow the action: it runs, or has ended

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


@dataclass(frozen=True, slots=True)
class _Building:
    """Builds the array of a submission, and checks each of its children."""

    submissions: Submissions
    refuse_invalid_text: RefuseText
    submission: ArraySubmission
    name: str
    caller: str

    def result(self) -> tuple[JobArray, ChildRequests, ParameterSets]:
        given, parameters = self.submission.request, read_parameters(self.submission.parameters)
        size = len(parameters.sets)
        self._refuse_long_names(size)
        templates = templates_in(given, (*parameters.names, INDEX))
        _refuse_unused(parameters, templates)
        first_request = {**filled_request(given, parameters.of(0)), NAME: child_name(self.name, 0)}
        with _about_child(0):
            first = self.submissions.preview(Submission(first_request, self.submission.options), self.caller)
        alternatives = read_options(given, self.submission.options).alternatives
        requests = ChildRequests(expand_alternatives(given, alternatives), parameters.names)
        pattern = as_pattern(first, requests.requests)
        _refuse_shared_checkpoints(pattern, size)
        array = JobArray(
            name=self.name,
            first=replace(pattern, digest=self.submission.digest, client_token=self.submission.client_token),
            children="." * size,
            at_most=self.submission.at_most,
            most_failures=self.submission.most_failures,
            held_by=self.caller if first.status.state is JobState.HELD else "",
            updated_at=first.submitted_at,
        )
        self._refuse_children(array, requests, parameters, templates)
        return array, requests, parameters

    def _refuse_long_names(self, size: int) -> None:
        longest = child_name(self.name, size - 1)
        if len(longest) > _LONGEST_NAME:
            problem = f"is too long: the last of {size} jobs would be {longest}, with {len(longest)} characters"
            raise bad_field(NAME, problem, f"Shorten it by {len(longest) - _LONGEST_NAME} characters.")

    def _refuse_children(
        self, array: JobArray, requests: ChildRequests, parameters: ParameterSets, templates: Sequence[Template]
    ) -> None:
        """Checks each text with a placeholder for every child, and the rules for all texts that they may read."""
        seen: dict[object, set[object]] = {}
        ruled = [template for template in templates if template.is_ruled]
        for index in range(array.size):
            values = parameters.of(index)
            with _about_child(index):
                for template in templates:
                    text = filled(template.text, values)
                    known = seen.setdefault(template.path, set())
                    if text not in known:
                        known.add(text)
                        self.refuse_invalid_text(template.path, text)
                texts = tuple(filled(template.text, values) for template in ruled)
                known = seen.setdefault("rules", set())
                if ruled and texts not in known:
                    known.add(texts)
                    self._refuse_by_rules(
                        child_of(array, index, values, array.first.submitted_at), requests, parameters
                    )

    def _refuse_by_rules(self, child: Job, requests: ChildRequests, parameters: ParameterSets) -> None:
        authorization, now = self.submissions.admission.authorization, child.submitted_at
        callers = authorization.callers()
        place = child.place
        if place is None:
            raise AssertionError(f"{child.name} has no place in an array")
        for option in child.each_choice:
            request: Request = requests.of(child.name, place.index, parameters.sets[place.index], option.spec.choice)
            refuse_unsupported(request)
            self.submissions.admission.admit(option, request, callers, now)


@contextmanager
def _about_child(index: int) -> Iterator[None]:
    try:
        yield
    except BadRequest as refusal:
        refusal.name_part(f"child {index}")
        raise


def _name_in(request: Mapping[str, Any]) -> str:
    name = request.get(NAME)
    if not (isinstance(name, str) and JOB_NAME.fullmatch(name)):
        problem = f"is {shown(name)}" if name is not None else "is missing"
        remedy = "Use the name of the array, of letters, digits and hyphens. The queue adds the number of each child."
        raise bad_field(NAME, problem, remedy)
    return name


def _refuse_unused(parameters: ParameterSets, templates: Sequence[Template]) -> None:
    used = names_used(templates)
    for name in parameters.names:
        if name not in used:
            remedy = f"Put ${{{name}}} into a hyperparameter, or remove the parameter."
            raise bad_field(f"parameters.{name}", "is used nowhere in the request", remedy)


def _refuse_shared_checkpoints(first: Job, size: int) -> None:
    uri = first.spec.checkpoint_uri
    if uri is not None and "${" not in uri and size > 1:
        remedy = "Add /${index} to it, so that each child has checkpoints of its own."
        raise bad_field("CheckpointConfig.S3Uri", "is the same for all children", remedy)
