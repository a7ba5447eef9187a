"""Checks a workflow file's arrays for what the queue would refuse, before the first job is submitted."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeGuard

from sagequeue.api.job_calls import named
from sagequeue.contract.arrays import Parameters
from sagequeue.documents.document import Member
from sagequeue.documents.placeholders import INDEX, filled, misplaced_in, placeholders_in
from sagequeue.workflows.workflow import Step, sets_of

MOST_CHILDREN = 10_000
LONGEST_NAME = 63

#: The values of the parameters of each job, with its number.
Sets = Sequence[Mapping[str, object]]


def check_array(step: Step, given: Mapping[str, Member]) -> None:
    if not given["array"].is_given:
        for name in ("at_most", "most_failures"):
            given[name].problem("needs an array. Add one, or remove this member.")
        return
    sets = _sets(step, given["array"])
    if sets and step.request:
        _check_placeholders(step, sets[0], given["request"])
        _check_checkpoints(step, sets, given["request"])


def _sets(step: Step, member: Member) -> Sets:
    """Returns the values of each job; nothing after a problem."""
    array = step.array
    if not _describes_jobs(array):
        member.problem('describes no jobs. Write a matrix such as {"lr": [0.1, 0.01]}, or a list of objects.')
        return ()
    size = prod(map(len, array.values())) if isinstance(array, Mapping) else len(array)
    if size > MOST_CHILDREN:
        member.problem(f"describes {size:,} jobs. Describe at most {MOST_CHILDREN:,}.")
        return ()
    sets = [*sets_of(array)]
    if problem := _problem_of(array, sets):
        member.problem(problem)
        return ()
    if len(last := f"{step.name}-{size - 1}") > LONGEST_NAME:
        member.problem(f"makes the name {last}. Shorten it to {LONGEST_NAME} characters.")
    return sets


def _describes_jobs(array: object) -> TypeGuard[Parameters]:
    match array:
        case dict():
            return bool(array) and all(isinstance(values, list) and values for values in array.values())
        case list():
            return bool(array) and all(isinstance(values, dict) and values for values in array)
    return False


def _problem_of(array: Parameters, sets: Sets) -> str:
    """Returns what is wrong with the names and values; empty if nothing is."""
    if INDEX in (array if isinstance(array, Mapping) else array[0]):
        return "has a parameter with the name index, which is the number of each job. Rename it."
    if any(values.keys() != sets[0].keys() for values in sets):
        return "has sets with different names. Give each set the same names."
    if not all(isinstance(value, str | int | float) for values in sets for value in values.values()):
        return "has a value of another type. Use texts, numbers, true and false."
    return ""


def _check_placeholders(step: Step, parameters: Mapping[str, object], member: Member) -> None:
    request = named(step.request, step.name)
    if "TrainingJobName" not in request:
        member.problem("is not for a training job. An array can run no other jobs.")
    used = {*placeholders_in(request)}
    for name in sorted(used - {*parameters}):
        member.problem(f"has the placeholder ${{{name}}}. Add {name} to the array, or write $${{{name}}}.")
    for name in sorted({*parameters} - {INDEX, *used, *placeholders_in(step.options)}):
        member.problem(f"does not use {name}. Put ${{{name}}} into a hyperparameter.")
    for field in misplaced_in(request):
        remedy = "Use placeholders in hyperparameters, environment, arguments, values of tags, and S3 paths."
        member.problem(f"has a placeholder in {field}. {remedy}")


def _check_checkpoints(step: Step, sets: Sets, member: Member) -> None:
    config = step.request.get("CheckpointConfig")
    uri = config.get("S3Uri") if isinstance(config, dict) else None  # the queue refuses other kinds of values
    if uri and {*placeholders_in(uri)} <= sets[0].keys():
        uris = {filled({"uri": uri}, values)["uri"] for values in sets}
        if len(uris) < len(sets):
            member.problem("has the same checkpoints for several jobs. Add /${index} to CheckpointConfig.S3Uri.")
