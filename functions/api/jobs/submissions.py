"""POST /jobs and POST /add-job: submit a job."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from api.http.bodies import json_body, members, required
from api.http.call import Call
from api.jobs import job_answers
from api.jobs.cost_views import cost_range_view
from api.jobs.job_views import job_view
from scheduler.errors.refusals import BadRequest
from scheduler.queue.submission import Submission
from scheduler.wiring import shared

_TOKEN = re.compile(r"[!-~]{1,128}")


def add_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, Submission(json_body(call, of="the body of a CreateTrainingJob request")))


def submit_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, submission_of(json_body(call, of='{"request": {...}, "options": {...}}')))


def submission_of(document: Mapping[str, Any]) -> Submission:
    """Returns the submission in a body. The queue itself checks the request and the options. Raises BadRequest."""
    given = members(document, {"request": dict, "options": dict, "client_token": str})
    return Submission(required(given, "request"), given.get("options", {}), _token(given.get("client_token")))


def _token(text: str | None) -> str | None:
    if text is not None and not _TOKEN.fullmatch(text):
        raise BadRequest(
            "client_token is not a token",
            field="client_token",
            remedy="Use 1 to 128 printable ASCII characters without blanks, such as a UUID.",
        )
    return text


def _submit(call: Call, submission: Submission) -> tuple[job_answers.Job, int]:
    status, is_new = shared.submissions().submit(submission, call.caller)
    cost = cost_range_view(shared.costs().range_of(status.job))
    view: job_answers.Job = {**job_view(status, call.arn_prefix), "cost_range": cost}
    return view, HTTPStatus.CREATED if is_new else HTTPStatus.OK
