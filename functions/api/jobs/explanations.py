"""The calls that tell why a job is where it is, and what would become of one."""

from api.http.bodies import json_body
from api.http.call import Call
from api.jobs import explanation_answers
from api.jobs.explanation_views import forecast_view, why_view
from api.jobs.submission_reading import submission_of
from scheduler.wiring import queue


def explain_job(call: Call) -> explanation_answers.Explanation:
    return why_view(*queue.explanations().why(call.name))


def what_if(call: Call) -> explanation_answers.Forecast:
    submission = submission_of(json_body(call, of='{"request": {...}, "options": {...}}'))
    return forecast_view(*queue.explanations().what_if(submission, call.caller))
