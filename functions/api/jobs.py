"""The calls on jobs: submit, list, show."""

import re
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api.asking import arn_prefix, caller
from api.bodies import json_body
from api.submission_reading import submission_of
from api.views import job_view, listing_view, request_view
from scheduler import wiring
from scheduler.domain.job import JobState
from scheduler.errors import BadRequest
from scheduler.job_queue import Submission

router = APIGatewayRouter()
DEFAULT_PAGE = 50
MAX_PAGE = 200


@router.post("/add-job")
def add_job() -> tuple[dict[str, Any], int]:
    return _submit(Submission(json_body(router, of="the body of a CreateTrainingJob request")))


@router.post("/jobs")
def submit_job() -> tuple[dict[str, Any], int]:
    return _submit(submission_of(json_body(router, of='{"request": {...}, "options": {...}}')))


@router.get("/jobs")
def list_jobs() -> dict[str, Any]:
    query = router.current_event.query_string_parameters or {}
    listing = wiring.job_queue().list(_state(query.get("state")), _limit(query.get("limit")), query.get("next"))
    return listing_view(listing, arn_prefix(router))


@router.get("/jobs/<name>")
def show_job(name: str) -> dict[str, Any]:
    standing, request = wiring.job_queue().show(name)
    return request_view(standing, request, arn_prefix(router))


def _submit(submission: Submission) -> tuple[dict[str, Any], int]:
    standing, is_new = wiring.job_queue().submit(submission, caller(router))
    return job_view(standing, arn_prefix(router)), HTTPStatus.CREATED if is_new else HTTPStatus.OK


def _state(text: str | None) -> JobState | None:
    if text is None:
        return None
    try:
        return JobState(text)
    except ValueError as error:
        states = ", ".join(JobState)
        raise BadRequest(f"{text!r} is not a state", field="state", remedy=f"Use one of {states}.") from error


def _limit(text: str | None) -> int:
    if text is None:
        return DEFAULT_PAGE
    if not re.fullmatch("[0-9]{1,3}", text) or not 1 <= int(text) <= MAX_PAGE:
        raise BadRequest(f"{text!r} is not a page size", field="limit", remedy=f"Use a number from 1 to {MAX_PAGE}.")
    return int(text)
