"""Calls on jobs: submit, list, show, explain and forecast them, and act on them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from api.call import Call, json_body, members, page_size_of, required
from api.jobs import job_answers
from api.jobs.filters import filter_in_query
from api.jobs.job_views import (
    cost_range_view,
    detailed_job_view,
    explanation_view,
    forecast_view,
    job_view,
    listing_view,
)
from scheduler.core.jobs.job import Job
from scheduler.core.requests.job_update import JobUpdate
from scheduler.errors.refusals import bad_field, shown
from scheduler.queue.submission import Submission
from scheduler.wiring import queue, shared

_TOKEN = re.compile(r"[!-~]{1,128}")


def add_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, Submission(json_body(call, of="the body of a Create request")))


def submit_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, _submission_in(call))


def forecast_submission(call: Call) -> job_answers.Forecast:
    return forecast_view(*queue.explanations().forecast(_submission_in(call), call.caller))


def list_jobs(call: Call) -> job_answers.Listing:
    texts = {name: ",".join(values) for name, values in call.whole_query.items() if name not in ("limit", "next")}
    page_size, token = page_size_of(call.query.get("limit")), call.query.get("next")
    listing = queue.job_queries().list(filter_in_query(texts, call.caller), page_size, token, call.caller)
    return listing_view(listing, call.arn_prefix)


def get_job(call: Call) -> job_answers.Job:
    status, request, alternatives = queue.job_queries().get(call.name, call.caller)
    cost = shared.costs().of(status.job, status.attempt)
    open_callbacks = shared.job_stores().callbacks.open_for(call.name)
    return detailed_job_view(status, request, alternatives, cost, open_callbacks, call.arn_prefix)


def explain_job(call: Call) -> job_answers.Explanation:
    return explanation_view(*queue.explanations().explain(call.name, call.caller))


def cancel_job(call: Call) -> tuple[job_answers.Job, int]:
    save_first: bool = _optional_body(call, '{"save_first": true}', {"save_first": bool}).get("save_first", False)
    return _accepted(call, queue.job_actions().cancel(call.name, call.caller, save_first=save_first))


def hold_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().hold(call.name, call.caller))


def release_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().release(call.name, call.caller))


def requeue_job(call: Call) -> tuple[job_answers.Job, int]:
    attempt: int | None = _optional_body(call, '{"attempt": 2}', {"attempt": int}).get("attempt")
    return _accepted(call, queue.job_actions().requeue(call.name, call.caller, attempt))


def approve_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().approve(call.name, call.caller, approved_runtime_in(call)))


def approved_runtime_in(call: Call) -> int | None:
    """Returns the longest time limit to approve; None if the caller names none."""
    limit: int | None = _optional_body(call, '{"max_runtime": 86400}', {"max_runtime": int}).get("max_runtime")
    return limit


def top_job(call: Call) -> tuple[job_answers.Job, int]:
    return _accepted(call, queue.job_actions().top(call.name, call.caller))


def update_job(call: Call) -> tuple[job_answers.Job, int]:
    body = members(
        json_body(call, of='{"options": {"priority": 5}, "max_runtime": 7200}'), {"options": dict, "max_runtime": int}
    )
    if not body:
        raise bad_field("options", "and max_runtime are both missing", "Send at least one of them.")
    return _accepted(call, queue.job_actions().update(call.name, JobUpdate(**body), call.caller))


def _submission_in(call: Call) -> Submission:
    """Returns the submission in the body. The queue checks its request and options later. Raises BadRequest."""
    document = json_body(call, of='{"request": {...}, "options": {...}}')
    on_end = document.pop("on_end", None) or {}
    if not isinstance(on_end, dict):  # not shown: it may be a token
        raise bad_field("on_end", "must be an object", 'Send it as an object, such as {"task_token": "..."}.')
    given = members(document, {"request": dict, "options": dict, "client_token": str})
    return Submission(required(given, "request"), given.get("options", {}), client_token_in(given), on_end)


def client_token_in(given: Mapping[str, Any]) -> str | None:
    token: str | None = given.get("client_token")
    if token is not None and not _TOKEN.fullmatch(token):
        remedy = "Use 1 to 128 printable ASCII characters without spaces, such as a UUID."
        raise bad_field("client_token", f"is {shown(token)}", remedy)
    return token


def _submit(call: Call, submission: Submission) -> tuple[job_answers.Job, int]:
    submissions = shared.submissions().for_one_call()
    status, is_new = submissions.submit(submission, call.caller)
    costs = replace(shared.costs(), configuration=submissions.snapshot_reader.configuration)
    cost = cost_range_view(costs.range_of(status.job))
    view: job_answers.Job = {**job_view(status, call.arn_prefix), "cost_range": cost, "is_new": is_new}
    return view, HTTPStatus.CREATED if is_new else HTTPStatus.OK


def _optional_body(call: Call, example: str, types: Mapping[str, type]) -> dict[str, Any]:
    return members(json_body(call, of=example), types) if call.body else {}


def _accepted(call: Call, job: Job) -> tuple[job_answers.Job, int]:
    return job_view(shared.job_status_reader().of(job), call.arn_prefix), HTTPStatus.ACCEPTED
