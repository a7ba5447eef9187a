"""Calls on jobs: submit, list, show, explain and forecast them, and act on them."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from api.call import Call, json_body, members, page_size_of, required
from api.jobs import job_answers
from api.jobs.job_views import (
    cost_range_view,
    detailed_job_view,
    explanation_view,
    forecast_view,
    job_view,
    listing_view,
)
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.team import Team
from scheduler.core.requests.options import MAX_PRIORITY
from scheduler.errors.refusals import BadRequest, bad_field
from scheduler.queue.job_status import CurrentStatus
from scheduler.queue.submission import Submission
from scheduler.wiring import queue, shared

FILTERS = ("state", "owner", "team", "instance_type", "name")
_STATES = frozenset(state.value for state in JobState)
_TOKEN = re.compile(r"[!-~]{1,128}")


def add_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, Submission(json_body(call, of="the body of a CreateTrainingJob request")))


def submit_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, _submission_in(call))


def forecast_submission(call: Call) -> job_answers.Forecast:
    return forecast_view(*queue.explanations().forecast(_submission_in(call), call.caller))


def list_jobs(call: Call) -> job_answers.Listing:
    texts = {name: ",".join(values) for name, values in call.whole_query.items() if name not in ("limit", "next")}
    page_size, token = page_size_of(call.query.get("limit")), call.query.get("next")
    listing = queue.job_queries().list(_filter_of(texts), page_size, token)
    return listing_view(listing, call.arn_prefix)


def get_job(call: Call) -> job_answers.Job:
    status, request = queue.job_queries().get(call.name, call.caller)
    cost = shared.costs().of(status.job, status.attempt)
    return detailed_job_view(status, request, cost, call.arn_prefix)


def explain_job(call: Call) -> job_answers.Explanation:
    return explanation_view(*queue.explanations().explain(call.name))


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
        remedy = f"Use an integer from -{MAX_PRIORITY} to {MAX_PRIORITY}; higher runs first."
        raise bad_field("priority", "is out of range", remedy)
    return _accepted(call, queue.job_actions().prioritise(call.name, priority, call.caller))


def cancel_jobs(call: Call) -> job_answers.Cancellations:
    body = members(json_body(call, of='{"filter": {"owner": "..."}}'), {"filter": dict, "limit": int})
    job_filter = _filter_of(_filter_texts(required(body, "filter")))
    if job_filter == JobFilter():
        raise BadRequest("The filter is empty", field="filter", remedy="Filter by state, owner, team or name.")
    most = page_size_of(str(body["limit"]) if "limit" in body else None)
    cancelled = queue.job_actions().cancel_many(job_filter, most, call.caller)
    return {
        "cancelled": list(cancelled.names),
        "refused": [
            {"name": name, "error": refusal.code, "message": refusal.message} for name, refusal in cancelled.refused
        ],
        "more": cancelled.more,
    }


def _submission_in(call: Call) -> Submission:
    """Returns the submission in the body. The queue itself checks the request and the options. Raises BadRequest."""
    document = json_body(call, of='{"request": {...}, "options": {...}}')
    given = members(document, {"request": dict, "options": dict, "client_token": str})
    request, token = required(given, "request"), given.get("client_token")
    if token is not None and not _TOKEN.fullmatch(token):
        remedy = "Use 1 to 128 printable ASCII characters without blanks, such as a UUID."
        raise bad_field("client_token", "is not a token", remedy)
    return Submission(request, given.get("options", {}), token)


def _submit(call: Call, submission: Submission) -> tuple[job_answers.Job, int]:
    status, is_new = shared.submissions().submit(submission, call.caller)
    cost = cost_range_view(shared.costs().range_of(status.job))
    view: job_answers.Job = {**job_view(status, call.arn_prefix), "cost_range": cost}
    return view, HTTPStatus.CREATED if is_new else HTTPStatus.OK


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


def _filter_of(given: Mapping[str, str]) -> JobFilter:
    """Returns a filter for jobs that match every member; commas separate several states. Raises BadRequest."""
    for name in given:
        if name not in FILTERS:
            raise BadRequest(f"{name[:100]!r} is not a filter", field=name[:100], remedy=f"Use {', '.join(FILTERS)}.")
    states = given["state"].split(",") if "state" in given else ()
    for state in states:
        if state not in _STATES:
            raise BadRequest(f"{state[:100]!r} is not a state", field="state", remedy=f"Use {', '.join(JobState)}.")
    return JobFilter(
        states=frozenset(map(JobState, states)),
        owner=given.get("owner"),
        team=_team(given["team"]) if "team" in given else None,
        instance_type=given.get("instance_type"),
        name_prefix=given.get("name", ""),
    )


def _team(name: str) -> Team:
    teams = {team.name: team for team in shared.settings().policy.teams}
    if name not in teams:
        remedy = f"Use {', '.join(teams)}." if teams else "The stack has no teams."
        raise BadRequest(f"{name[:100]!r} is not a team", field="team", remedy=remedy)
    return teams[name]


def _accepted(call: Call, status: CurrentStatus) -> tuple[job_answers.Job, int]:
    return job_view(status, call.arn_prefix), HTTPStatus.ACCEPTED
