"""The calls that ask something of one job: cancel, hold, release, requeue, top, priority."""

from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api import job_answers
from api.asking import arn_prefix, caller
from api.bodies import json_body, members, required
from api.filter_reading import DEFAULT_PAGE, FILTERS, filter_of, limit_in
from api.views import job_view
from scheduler import wiring
from scheduler.domain.job_filter import JobFilter
from scheduler.policy.option_reading import MAX_PRIORITY
from scheduler.refusals import BadRequest
from scheduler.standings import Standing

router = APIGatewayRouter()


@router.post("/jobs/<name>/cancel")
def cancel_job(name: str) -> tuple[job_answers.Job, int]:
    return _accepted(wiring.job_control().cancel(name, caller(router)))


@router.post("/jobs/<name>/hold")
def hold_job(name: str) -> tuple[job_answers.Job, int]:
    return _accepted(wiring.job_control().hold(name, caller(router)))


@router.post("/jobs/<name>/release")
def release_job(name: str) -> tuple[job_answers.Job, int]:
    return _accepted(wiring.job_control().release(name, caller(router)))


@router.post("/jobs/<name>/requeue")
def requeue_job(name: str) -> tuple[job_answers.Job, int]:
    return _accepted(wiring.job_control().requeue(name, caller(router), _attempt_in_body()))


@router.post("/jobs/<name>/top")
def top_job(name: str) -> tuple[job_answers.Job, int]:
    return _accepted(wiring.job_control().top(name, caller(router)))


@router.post("/jobs/<name>/priority")
def prioritise_job(name: str) -> tuple[job_answers.Job, int]:
    body = members(json_body(router, of='{"priority": 5}'), {"priority": int})
    priority = required(body, "priority")
    if abs(priority) > MAX_PRIORITY:
        raise BadRequest(
            "priority is out of range",
            field="priority",
            remedy=f"Use an integer from -{MAX_PRIORITY} to {MAX_PRIORITY}; higher runs first.",
        )
    return _accepted(wiring.job_control().prioritise(name, priority, caller(router)))


@router.post("/cancel-jobs")
def cancel_jobs() -> job_answers.Cancellations:
    body = members(json_body(router, of='{"filter": {"owner": "..."}}'), {"filter": dict, "limit": int})
    wanted = filter_of(_texts(required(body, "filter")))
    if wanted == JobFilter():
        raise BadRequest("The filter is empty", field="filter", remedy="Say which jobs, by state, owner, team or name.")
    done = wiring.job_control().cancel_many(wanted, limit_in(str(body.get("limit", DEFAULT_PAGE))), caller(router))
    return {
        "cancelled": list(done.names),
        "refused": [{"name": name, "error": no.code, "message": no.message} for name, no in done.refused],
        "more": done.more,
    }


def _attempt_in_body() -> int | None:
    """After which attempt another one is wanted; nobody has to say it, or send a body."""
    if not router.current_event.decoded_body:
        return None
    attempt: int | None = members(json_body(router, of='{"attempt": 2}'), {"attempt": int}).get("attempt")
    return attempt


def _texts(given: dict[str, Any]) -> dict[str, str]:
    states = given.get("state")
    if isinstance(states, list) and all(isinstance(state, str) for state in states):
        given = given | {"state": ",".join(states)}
    texts = members(given, dict.fromkeys(FILTERS, str), "filter.")
    for name in given.keys() - texts.keys():
        # A script whose variable was empty does not mean all jobs.
        raise BadRequest(f"filter.{name} is null", field=f"filter.{name}", remedy="Leave it out, or give a text.")
    return texts


def _accepted(standing: Standing) -> tuple[job_answers.Job, int]:
    return job_view(standing, arn_prefix(router)), HTTPStatus.ACCEPTED
