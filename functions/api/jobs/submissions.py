"""The calls that submit a job. A cold start loads nothing for other calls."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from api.http.bodies import json_body
from api.http.call import Call
from api.jobs.cost_views import cost_range_view
from api.jobs.job_views import job_view
from api.jobs.submission_reading import submission_of
from scheduler.queue.submission import Submission
from scheduler.wiring import shared

if TYPE_CHECKING:
    from api.jobs import job_answers


def add_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, Submission(json_body(call, of="the body of a CreateTrainingJob request")))


def submit_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, submission_of(json_body(call, of='{"request": {...}, "options": {...}}')))


def _submit(call: Call, submission: Submission) -> tuple[job_answers.Job, int]:
    standing, is_new = shared.submissions().submit(submission, call.caller)
    cost = cost_range_view(shared.costs().range_of(standing.job))
    view: job_answers.Job = {**job_view(standing, call.arn_prefix), "cost_range": cost}
    return view, HTTPStatus.CREATED if is_new else HTTPStatus.OK
