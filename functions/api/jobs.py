"""The calls on jobs: submit, list, show."""

from collections.abc import Mapping
from http import HTTPStatus

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api import explanation_answers, job_answers
from api.asking import arn_prefix, caller
from api.bodies import json_body
from api.cost_views import cost_range_view, with_cost
from api.explanation_views import forecast_view, why_view
from api.filter_reading import filter_of, limit_in
from api.submission_reading import submission_of
from api.views import job_view, listing_view, request_view
from scheduler import wiring
from scheduler.job_queue import Submission

router = APIGatewayRouter()


@router.post("/add-job")
def add_job() -> tuple[job_answers.Job, int]:
    return _submit(Submission(json_body(router, of="the body of a CreateTrainingJob request")))


@router.post("/jobs")
def submit_job() -> tuple[job_answers.Job, int]:
    return _submit(submission_of(json_body(router, of='{"request": {...}, "options": {...}}')))


@router.get("/jobs")
def list_jobs() -> job_answers.Listing:
    query = router.current_event.resolved_query_string_parameters
    wanted = filter_of({name: ",".join(values) for name, values in query.items() if name not in ("limit", "next")})
    listing = wiring.job_queue().list(wanted, limit_in(_only(query, "limit")), _only(query, "next"))
    return listing_view(listing, arn_prefix(router))


@router.get("/jobs/<name>")
def show_job(name: str) -> job_answers.Job:
    standing, request = wiring.job_queue().show(name, caller(router))
    cost = wiring.costs().of(standing.job, standing.attempt)
    return with_cost(request_view(standing, request, arn_prefix(router)), cost)


@router.get("/jobs/<name>/why")
def explain_job(name: str) -> explanation_answers.Explanation:
    return why_view(*wiring.explanations().why(name))


@router.post("/what-if")
def what_if() -> explanation_answers.Forecast:
    submission = submission_of(json_body(router, of='{"request": {...}, "options": {...}}'))
    return forecast_view(*wiring.explanations().what_if(submission, caller(router)))


def _submit(submission: Submission) -> tuple[job_answers.Job, int]:
    standing, is_new = wiring.job_queue().submit(submission, caller(router))
    cost = cost_range_view(wiring.costs().range_of(standing.job))
    view: job_answers.Job = {**job_view(standing, arn_prefix(router)), "cost_range": cost}
    return view, HTTPStatus.CREATED if is_new else HTTPStatus.OK


def _only(query: Mapping[str, list[str]], name: str) -> str | None:
    given = query.get(name)
    return given[-1] if given else None
