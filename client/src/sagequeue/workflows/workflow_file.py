"""Reads a workflow file, and checks it as a whole: members, names, dependencies, and each request."""

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any

from sagequeue.api.client import QueueClient
from sagequeue.documents.document import Member, read_document
from sagequeue.documents.placeholders import models_in, with_models
from sagequeue.errors import QueueRefusal
from sagequeue.workflows.array_check import LONGEST_NAME, MOST_CHILDREN, check_array
from sagequeue.workflows.workflow import Step, Workflow

DEPENDENCIES = ("after_ok", "after_any", "after_not_ok")
KNOWN = ("request", "array", "at_most", "most_failures", *DEPENDENCIES, "options")
_NAME = r"[a-zA-Z0-9](-*[a-zA-Z0-9])*"


def read_workflow(path: str, queue: QueueClient) -> Workflow:
    """Reads a file, and asks the queue about each request. Raises InvalidSubmission with every problem."""
    return read_document(path, partial(_workflow, queue))


def _workflow(queue: QueueClient, root: Member) -> Workflow:
    given = root.members(("name", "jobs"), ("name", "jobs"))
    name, jobs = given["name"].text(_NAME, "Use letters, digits and hyphens.", "any"), given["jobs"].named()
    if not jobs:
        given["jobs"].problem("is empty. Add a job.")
    steps = {key: _step(name, key, member, jobs) for key, member in jobs.items()}
    order = _order(jobs)
    if not root.document.problems:
        for key in order:
            _check(steps[key], jobs[key], queue)
    return Workflow(tuple(steps[key] for key in order))


def _step(workflow: str, key: str, member: Member, jobs: Mapping[str, Member]) -> Step:
    given = member.members(KNOWN, ("request",))
    options = {name: part.value for name, part in given["options"].named().items()}
    with_full_names = partial(_with_full_names, workflow, given["after_ok"].value, jobs)
    step = Step(
        name=f"{workflow}-{key}",
        request=with_full_names(given["request"], given["request"].object_or_file()),
        options=with_full_names(given["options"], options),
        dependencies={
            kind: [f"{workflow}-{other}" for other in _names(given[kind], jobs)]
            for kind in DEPENDENCIES
            if given[kind].is_given
        },
        array=given["array"].value,
        at_most=given["at_most"].whole(1, MOST_CHILDREN) or None,
        most_failures=given["most_failures"].whole(0, MOST_CHILDREN) if given["most_failures"].is_given else None,
    )
    _check_name(step.name, member)
    check_array(step, given)
    for name in {*DEPENDENCIES} & step.options.keys():
        given["options"].named()[name].problem("is not an option here. Write it next to the request.")
    return step


def _with_full_names(
    workflow: str, after_ok: object, jobs: Mapping[str, Member], member: Member, content: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the content of the member with the queue's job names in the placeholders for models."""
    earlier = after_ok if isinstance(after_ok, list) else []
    for name in sorted({*models_in(content)}):
        if name not in earlier:
            member.problem(f"has the placeholder ${{jobs.{name}.model}}. Add {name} to after_ok.")
        elif name in jobs and _is_array(jobs[name]):
            problem = f"has the placeholder ${{jobs.{name}.model}}, but {name} is an array, which has many models"
            member.problem(f"{problem}. Remove the placeholder.")
    return with_models(content, lambda name: f"${{jobs.{workflow}-{name}.model}}")


def _is_array(job: Member) -> bool:
    return isinstance(job.value, dict) and "array" in job.value


def _check_name(name: str, member: Member) -> None:
    if len(name) > LONGEST_NAME or not re.fullmatch(_NAME, name):
        member.problem(f"makes the name {name}. Use letters, digits and hyphens, at most {LONGEST_NAME} in all.")


def _names(member: Member, jobs: Collection[str]) -> list[str]:
    """Returns the jobs in the file that a dependency names."""
    found = []
    for part in member.listed():
        if isinstance(part.value, str) and part.value in jobs:
            found.append(part.value)
            continue
        hint = next(iter(get_close_matches(str(part.value), jobs, 1)), None)
        remedy = f"Did you mean {hint}?" if hint else "Add it."
        part.problem(f"is {part.shown()}, which is not a job of this file. {remedy}")
    return found


def _order(jobs: Mapping[str, Member]) -> list[str]:
    """Returns the names of the jobs, each after the jobs that it waits for. A cycle is a problem."""
    graph = {key: [*_waits_for(job, jobs)] for key, job in jobs.items()}
    try:
        return [*TopologicalSorter(graph).static_order()]
    except CycleError as error:
        jobs[error.args[1][0]].problem(f"waits for itself: {' → '.join(reversed(error.args[1]))}. Remove one of these.")
        return []


def _waits_for(job: Member, jobs: Collection[str]) -> Iterator[str]:
    value = job.value if isinstance(job.value, dict) else {}
    for kind in DEPENDENCIES:
        names = value.get(kind)
        texts = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
        yield from (name for name in texts if name in jobs)


def _check(step: Step, member: Member, queue: QueueClient) -> None:
    try:
        step.check(queue)
    except QueueRefusal as refusal:
        member.problem(f"was refused: {refusal}")
