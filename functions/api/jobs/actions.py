"""Calls of users on jobs: cancel, hold, release, requeue, move to the top, change the priority."""

from http import HTTPStatus
from typing import Any

from api.http.bodies import json_body, members, required
from api.http.call import Call
from api.jobs import job_answers
from api.jobs.filters import DEFAULT_PAGE, FILTERS, filter_of, limit_in
from api.jobs.job_views import job_view
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.requests.options import MAX_PRIORITY
from scheduler.errors.refusals import BadRequest
from scheduler.queue.job_status import JobStatus
from scheduler.wiring import queue


def cancel_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().cancel(call.name, call.caller))


def hold_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().hold(call.name, call.caller))


def release_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().release(call.name, call.caller))


def requeue_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().requeue(call.name, call.caller, _attempt_in_body(call)))


def top_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().top(call.name, call.caller))


def prioritise_job(call: Call) -> tuple[job_answers.Job, int]:
    body = members(json_body(call, of='{"priority": 5}'), {"priority": int})
    priority = required(body, "priority")
    if abs(priority) > MAX_PRIORITY:
        raise BadRequest(
            "priority is out of range",
            field="priority",
            remedy=f"Use an integer from -{MAX_PRIORITY} to {MAX_PRIORITY}; higher runs first.",
        )
    return _accepted(call, queue.job_actions().prioritise(call.name, priority, call.caller))


def cancel_jobs(call: Call) -> job_answers.Cancellations:
    body = members(json_body(call, of='{"filter": {"owner": "..."}}'), {"filter": dict, "limit": int})
    job_filter = filter_of(_filter_texts(required(body, "filter")))
    if job_filter == JobFilter():
        raise BadRequest("The filter is empty", field="filter", remedy="Filter by state, owner, team or name.")
    limit = limit_in(str(body.get("limit", DEFAULT_PAGE)))
    cancelled = queue.job_actions().cancel_many(job_filter, limit, call.caller)
    return {
        "cancelled": list(cancelled.names),
        "refused": [
            {"name": name, "error": refusal.code, "message": refusal.message} for name, refusal in cancelled.refused
        ],
        "more": cancelled.more,
    }


def _attempt_in_body(call: Call) -> int | None:
    """Returns the attempt to repeat; None if there is no body, or no such member."""
    if not call.body:
        return None
    attempt: int | None = members(json_body(call, of='{"attempt": 2}'), {"attempt": int}).get("attempt")
    return attempt


def _filter_texts(given: dict[str, Any]) -> dict[str, str]:
    states = given.get("state")
    if isinstance(states, list) and all(isinstance(state, str) for state in states):
        given = given | {"state": ",".join(states)}
    texts = members(given, dict.fromkeys(FILTERS, str), "filter.")
    for name in given.keys() - texts.keys():
        # A script whose variable was empty does not mean all jobs.
        raise BadRequest(f"filter.{name} is null", field=f"filter.{name}", remedy="Leave it out, or give a text.")
    return texts


def _accepted(call: Call, status: JobStatus) -> tuple[job_answers.Job, int]:
    return job_view(status, call.arn_prefix), HTTPStatus.ACCEPTED
