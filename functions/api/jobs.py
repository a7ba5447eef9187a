"""The calls on jobs: submit, list, show."""

from collections.abc import Mapping
from http import HTTPStatus

from api import explanation_answers, job_answers
from api.bodies import json_body
from api.call import Call
from api.cost_views import cost_range_view, with_cost
from api.explanation_views import forecast_view, why_view
from api.filter_reading import filter_of, limit_in
from api.submission_reading import submission_of
from api.views import job_view, listing_view, request_view
from scheduler import answer_wiring, wiring
from scheduler.job_queue import Submission


def add_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, Submission(json_body(call, of="the body of a CreateTrainingJob request")))


def submit_job(call: Call) -> tuple[job_answers.Job, int]:
    return _submit(call, submission_of(json_body(call, of='{"request": {...}, "options": {...}}')))


def list_jobs(call: Call) -> job_answers.Listing:
    query = call.whole_query
    wanted = filter_of({name: ",".join(values) for name, values in query.items() if name not in ("limit", "next")})
    listing = wiring.job_queue().list(wanted, limit_in(_only(query, "limit")), _only(query, "next"))
    return listing_view(listing, call.arn_prefix)


def show_job(call: Call) -> job_answers.Job:
    standing, request = wiring.job_queue().show(call.name, call.caller)
    cost = wiring.costs().of(standing.job, standing.attempt)
    return with_cost(request_view(standing, request, call.arn_prefix), cost)


def explain_job(call: Call) -> explanation_answers.Explanation:
    return why_view(*answer_wiring.explanations().why(call.name))


def what_if(call: Call) -> explanation_answers.Forecast:
    submission = submission_of(json_body(call, of='{"request": {...}, "options": {...}}'))
    return forecast_view(*answer_wiring.explanations().what_if(submission, call.caller))


def _submit(call: Call, submission: Submission) -> tuple[job_answers.Job, int]:
    standing, is_new = wiring.job_queue().submit(submission, call.caller)
    cost = cost_range_view(wiring.costs().range_of(standing.job))
    view: job_answers.Job = {**job_view(standing, call.arn_prefix), "cost_range": cost}
    return view, HTTPStatus.CREATED if is_new else HTTPStatus.OK


def _only(query: Mapping[str, list[str]], name: str) -> str | None:
    given = query.get(name)
    return given[-1] if given else None
