"""Builds an array from a user's submission, and checks each child's request like that of a single job."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from scheduler.core.jobs.job import Job, JobOptions
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.start_conditions import JobDependencies
from scheduler.core.requests.alternatives import expand_alternatives, point_refusals_at_choice
from scheduler.core.requests.arrays.children import NAME, ChildRequests, as_pattern
from scheduler.core.requests.arrays.job_array import JobArray, child_name
from scheduler.core.requests.arrays.parameters import INDEX, ParameterSets, read_parameters
from scheduler.core.requests.arrays.placeholders import Template, filled, filled_request, names_used, templates_in
from scheduler.core.requests.options import read_options
from scheduler.core.requests.predecessor_models import as_example, refuse_other_models
from scheduler.core.requests.request_reading import digest_of, refuse_unsupported
from scheduler.core.requests.texts import Path, with_texts
from scheduler.errors.refusals import BadRequest, Violation, bad_field, shown
from scheduler.queue.job_status import JOB_NAME
from scheduler.queue.submission import Submission, Submissions

_LONGEST_NAME = 63
#: Raises BadRequest if a text is not allowed at this place in a CreateTrainingJob request.
RefuseText = Callable[[Path, str], None]


@dataclass(frozen=True, slots=True)
class ArraySubmission:
    """A user's submission of an array: like a job's submission, but with parameters and limits."""

    request: dict[str, Any]
    parameters: object
    options: Mapping[str, Any] = field(default_factory=dict)
    at_most: int = 0
    most_failures: int | None = None
    client_token: str | None = None

    @property
    def name(self) -> str:
        """Returns the array's name. Raises BadRequest."""
        name = self.request.get(NAME)
        if not (isinstance(name, str) and JOB_NAME.fullmatch(name)):
            problem = f"is {shown(name)}" if name is not None else "is missing"
            remedy = "Use letters, digits and hyphens. The queue adds the number of each child to the array's name."
            raise bad_field(NAME, problem, remedy)
        return name

    @property
    def digest(self) -> str:
        """Returns a digest without `source_etag`: each time an SDK archives the same files, the ETag differs."""
        limits = {"at_most": self.at_most, "most_failures": self.most_failures}
        options = {name: value for name, value in self.options.items() if name != "source_etag"}
        given = {"request": self.request, "parameters": self.parameters, "options": options}
        return digest_of({**given, **limits})


@dataclass(frozen=True, slots=True)
class ArrayBuilding:
    """Builds an array from a submission, and checks each of its children."""

    submissions: Submissions
    refuse_invalid_text: RefuseText
    submission: ArraySubmission
    caller: str

    @property
    def name(self) -> str:
        return self.submission.name

    def result(self) -> tuple[JobArray, ChildRequests, ParameterSets]:
        given, parameters = self.submission.request, read_parameters(self.submission.parameters)
        size = len(parameters.sets)
        self._refuse_long_names(size)
        names = (*parameters.names, INDEX)
        templates_in(given, names)  # refuses what it cannot fill
        first_request = {**filled_request(given, parameters.of(0)), NAME: child_name(self.name, 0)}
        with _about_child(0):
            first = self.submissions.new_job(Submission(first_request, self.submission.options), self.caller)
        alternatives = read_options(given, self.submission.options).alternatives
        completed, notes = self._completed(given, first)
        requests = ChildRequests(expand_alternatives(completed, alternatives), parameters.names)
        choices = [*_templates_of_choices(requests.requests, names, first.options)]
        _refuse_unused(parameters, [template for templates in choices for template in templates])
        pattern = as_pattern(first, requests.requests)
        _refuse_shared_checkpoints(pattern, parameters)
        array = JobArray(
            name=self.name,
            first=replace(pattern, digest=self.submission.digest, client_token=self.submission.client_token),
            children="." * size,
            at_most=self.submission.at_most,
            most_failures=self.submission.most_failures,
            held_by=self.caller if first.status.state is JobState.HELD else "",
            updated_at=first.submitted_at,
        )
        self._refuse_other_defaults(first, parameters, notes)
        self._refuse_children(array, requests, parameters, choices)
        return array, requests, parameters

    def _completed(self, given: Mapping[str, Any], first: Job) -> tuple[dict[str, Any], tuple[Violation, ...]]:
        """Returns the request with its defaults, and a note on each of them."""
        named = {**given, NAME: first.name}
        completed, notes = self.submissions.admission.completed(named, first.options, self.caller, first.submitted_at)
        return {**completed, NAME: self.name}, notes

    def _refuse_other_defaults(self, first: Job, parameters: ParameterSets, notes: Sequence[Violation]) -> None:
        """Raises BadRequest if the values of a tag change the defaults, which are the same for all children."""
        given, seen = self.submission.request, set[str]()
        tags = {"Tags": given.get("Tags")}
        if not templates_in(tags, (*parameters.names, INDEX)):
            return
        for index in range(len(parameters.sets)):
            own = filled_request(tags, parameters.of(index))
            if (text := json.dumps(own)) in seen:
                continue
            seen.add(text)
            _, found = self._completed({**given, **own}, first)
            if changed := [note for note in (*found, *notes) if note not in found or note not in notes]:
                with _about_child(index):
                    problem = f"has a placeholder that a rule for defaults reads: {changed[0].message}"
                    remedy = "Write the tag without a placeholder, or set in the request what the rule sets."
                    raise bad_field("Tags", problem, remedy)

    def _refuse_long_names(self, size: int) -> None:
        longest = child_name(self.name, size - 1)
        if len(longest) > _LONGEST_NAME:
            problem = f"is too long: the last of {size} jobs would be {longest}, with {len(longest)} characters"
            raise bad_field(NAME, problem, f"Shorten it by {len(longest) - _LONGEST_NAME} characters.")

    def _refuse_children(
        self,
        array: JobArray,
        requests: ChildRequests,
        parameters: ParameterSets,
        choices: Sequence[Sequence[Template]],
    ) -> None:
        """Checks each text with a placeholder for every child, and applies the rules that read such a text."""
        seen: dict[object, set[object]] = {}
        ruled = [template for template in choices[0] if template.is_ruled]  # alternatives do not change such texts
        for index in range(array.size):
            values = parameters.of(index)
            with _about_child(index):
                for number, templates in enumerate(choices):
                    with point_refusals_at_choice(number, array.first.options):
                        self._refuse_texts(templates, values, seen, array.first.options.dependencies)
                texts = tuple(filled(template.text, values) for template in ruled)
                known = seen.setdefault("rules", set())
                if ruled and texts not in known:
                    known.add(texts)
                    read = {template.path: text for template, text in zip(ruled, texts, strict=True)}
                    self._refuse_by_rules(array.name_of(index), array.first, requests, read)

    def _refuse_texts(
        self,
        templates: Sequence[Template],
        values: Mapping[str, str],
        seen: dict[object, set[object]],
        dependencies: JobDependencies,
    ) -> None:
        for template in templates:
            text = filled(template.text, values)
            known = seen.setdefault(template.path, set())
            if text not in known:
                known.add(text)
                self.refuse_invalid_text(template.path, as_example(text))
                refuse_other_models(template.path, text, dependencies)

    def _refuse_by_rules(self, name: str, first: Job, requests: ChildRequests, texts: Mapping[Path, str]) -> None:
        """Checks a child's request. Fills placeholders only in texts that the rules may read."""
        admission = self.submissions.admission
        callers = admission.authorization.callers()
        for option in replace(first, name=name).each_choice:
            request = with_texts(requests.requests[option.spec.choice], texts)
            refuse_unsupported(request)
            admission.admit(option, request, callers, first.submitted_at)


@contextmanager
def _about_child(index: int) -> Iterator[None]:
    try:
        yield
    except BadRequest as refusal:
        refusal.name_part(f"child {index}")
        raise


def _templates_of_choices(
    requests: Sequence[Mapping[str, Any]], names: Sequence[str], options: JobOptions
) -> Iterator[Sequence[Template]]:
    """Yields the templates of each choice; for an alternative, only the templates that the request itself lacks."""
    given = templates_in(requests[0], names)
    yield given
    for number, request in enumerate(requests[1:], start=1):
        with point_refusals_at_choice(number, options):
            yield [template for template in templates_in(request, names) if template not in given]


def _refuse_unused(parameters: ParameterSets, templates: Sequence[Template]) -> None:
    used = names_used(templates)
    for name in parameters.names:
        if name not in used:
            remedy = f"Put ${{{name}}} into a hyperparameter, or remove the parameter."
            raise bad_field(f"parameters.{name}", "is not used in the request", remedy)


def _refuse_shared_checkpoints(first: Job, parameters: ParameterSets) -> None:
    uri, owners = first.spec.checkpoint_uri, dict[str, int]()
    if uri is None:
        return
    for index in range(len(parameters.sets)):
        own = filled(uri, parameters.of(index)).rstrip("/")
        owner = owners.setdefault(own, index)
        if owner != index:
            problem = f"is {own} for child {owner} and for child {index}"
            remedy = "Add /${index} to it, because each child needs its own checkpoints."
            raise bad_field("CheckpointConfig.S3Uri", problem, remedy)
