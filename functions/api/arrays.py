"""Calls on arrays: submit, list and show them, and act on all their jobs at once."""

from http import HTTPStatus

from typing_extensions import TypedDict

from api.answers import Time, optional_time_view, time_view
from api.call import Call, json_body, members, required
from api.jobs.bulk_calls import priority_in
from api.jobs.job_calls import approved_runtime_in, client_token_in
from scheduler.core.requests.arrays.job_array import ArrayEnd, ArrayState, ChildState, JobArray
from scheduler.core.requests.arrays.parameters import MOST_CHILDREN
from scheduler.errors.refusals import bad_field
from scheduler.queue.array_submission import ArraySubmission
from scheduler.wiring import queue


class Progress(TypedDict):
    """The number of children in each state, as the last cycle saw them."""

    completed: int
    failed: int
    stopped: int
    running: int
    waiting: int
    held_or_parked: int
    not_created: int


class Array(TypedDict):
    """An array: `size` jobs named NAME-0, NAME-1 and so on. The queue creates each job when it can start.

    Each of its jobs uses `instances`, or those of an alternative, and may run for up to `max_runtime` seconds.
    `approved_by` is the operator who has approved all of its jobs. At most `at_most` of its jobs run at once. After
    more than `most_failures` failed jobs, no further job starts. `end` is the reason why the array creates no more
    jobs, and `problem` the reason why a job could not be created.
    """

    name: str
    owner: str
    state: ArrayState
    size: int
    priority: int
    progress: Progress
    at_most: int | None
    most_failures: int | None
    held_by: str | None
    end: ArrayEnd | None
    problem: str | None
    instances: dict[str, int]
    max_runtime: int
    approved_by: str | None
    submitted_at: Time
    updated_at: Time | None


class SubmittedArray(Array):
    is_new: bool


class Arrays(TypedDict):
    """Unfinished arrays in queue order, then finished arrays, most recently ended first."""

    arrays: list[Array]


def submit_array(call: Call) -> tuple[SubmittedArray, int]:
    array, is_new = queue.arrays().submit(_submission_in(call), call.caller)
    view: SubmittedArray = {**_view(array), "is_new": is_new}
    return view, HTTPStatus.CREATED if is_new else HTTPStatus.OK


def list_arrays(_: Call) -> Arrays:
    return {"arrays": [_view(array) for array in queue.arrays().list()]}


def get_array(call: Call) -> Array:
    return _view(queue.arrays().get(call.name))


def cancel_array(call: Call) -> tuple[Array, int]:
    return _accepted(queue.arrays().cancel(call.name, call.caller))


def hold_array(call: Call) -> tuple[Array, int]:
    return _accepted(queue.arrays().hold(call.name, call.caller))


def release_array(call: Call) -> tuple[Array, int]:
    return _accepted(queue.arrays().release(call.name, call.caller))


def prioritise_array(call: Call) -> tuple[Array, int]:
    body = members(json_body(call, of='{"priority": 5}'), {"priority": int})
    return _accepted(queue.arrays().prioritise(call.name, priority_in(body), call.caller))


def approve_array(call: Call) -> tuple[Array, int]:
    return _accepted(queue.arrays().approve(call.name, call.caller, approved_runtime_in(call)))


def _submission_in(call: Call) -> ArraySubmission:
    document = json_body(call, of='{"request": {...}, "parameters": {"lr": [0.1, 0.01]}}')
    parameters = required(document, "parameters")
    known = {"request": dict, "options": dict, "at_most": int, "most_failures": int, "client_token": str}
    given = members({name: value for name, value in document.items() if name != "parameters"}, known)
    _refuse_outside(given, "at_most", 1)
    _refuse_outside(given, "most_failures", 0)
    return ArraySubmission(
        required(given, "request"),
        parameters,
        given.get("options", {}),
        given.get("at_most", 0),
        given.get("most_failures"),
        client_token_in(given),
    )


def _refuse_outside(given: dict[str, int], name: str, least: int) -> None:
    if name in given and not least <= given[name] <= MOST_CHILDREN:
        raise bad_field(name, f"is {given[name]}", f"Use {least} to {MOST_CHILDREN}, or omit it.")


def _accepted(array: JobArray) -> tuple[Array, int]:
    return _view(array), HTTPStatus.ACCEPTED


def _view(array: JobArray) -> Array:
    approval = array.first.status.approval
    return {
        "name": array.name,
        "owner": array.first.owner,
        "state": array.state,
        "size": array.size,
        "priority": array.first.options.priority,
        "progress": _progress_view(array),
        "at_most": array.at_most or None,
        "most_failures": array.most_failures,
        "held_by": array.held_by or None,
        "end": array.end,
        "problem": array.problem or None,
        "instances": array.first.spec.demand.as_dict(),
        "max_runtime": max(choice.spec.max_runtime for choice in array.first.each_choice),
        "approved_by": approval.by if approval else None,
        "submitted_at": time_view(array.first.submitted_at),
        "updated_at": optional_time_view(array.updated_at),
    }


def _progress_view(array: JobArray) -> Progress:
    return {
        "completed": array.count(ChildState.COMPLETED),
        "failed": array.count(ChildState.FAILED),
        "stopped": array.count(ChildState.STOPPED),
        "running": array.count(ChildState.LIVE),
        "waiting": array.count(ChildState.WAITING),
        "held_or_parked": array.count(ChildState.HELD_OR_PARKED),
        "not_created": array.count(ChildState.NOT_CREATED),
    }
