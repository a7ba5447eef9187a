"""The Lambda function of the REST API: maps each route to its function, and turns errors into refusals."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from api import arrays, budget
from api.answer_size import LARGEST_ANSWER, bytes_of, to_json
from api.call import Call
from api.config import config_calls
from api.error_answers import REFUSED, Refusal, refusal, refusal_of
from api.history import list_changes
from api.jobs import bulk_calls, job_calls
from api.people import list_people
from api.queue import get_queue, list_findings, list_pools
from api.spending import get_prices, get_spending
from scheduler.errors.refusals import AnswerTooLarge
from scheduler.wiring import shared

ROUTES: Mapping[tuple[str, str], Callable[[Call], Any]] = {
    ("POST", "/add-job"): job_calls.add_job,
    ("POST", "/jobs"): job_calls.submit_job,
    ("GET", "/jobs"): job_calls.list_jobs,
    ("GET", "/jobs/{name}"): job_calls.get_job,
    ("GET", "/jobs/{name}/why"): job_calls.explain_job,
    ("POST", "/what-if"): job_calls.forecast_submission,
    ("POST", "/jobs/{name}/cancel"): job_calls.cancel_job,
    ("POST", "/jobs/{name}/hold"): job_calls.hold_job,
    ("POST", "/jobs/{name}/release"): job_calls.release_job,
    ("POST", "/jobs/{name}/requeue"): job_calls.requeue_job,
    ("POST", "/jobs/{name}/top"): job_calls.top_job,
    ("POST", "/jobs/{name}/approve"): job_calls.approve_job,
    ("POST", "/jobs/{name}/update"): job_calls.update_job,
    ("POST", "/arrays"): arrays.submit_array,
    ("GET", "/arrays"): arrays.list_arrays,
    ("GET", "/arrays/{name}"): arrays.get_array,
    ("POST", "/arrays/{name}/cancel"): arrays.cancel_array,
    ("POST", "/arrays/{name}/hold"): arrays.hold_array,
    ("POST", "/arrays/{name}/release"): arrays.release_array,
    ("POST", "/arrays/{name}/priority"): arrays.prioritise_array,
    ("POST", "/arrays/{name}/approve"): arrays.approve_array,
    ("POST", "/change-jobs"): bulk_calls.change_jobs,
    ("POST", "/what-if-priority"): bulk_calls.forecast_priority,
    ("GET", "/queue"): get_queue,
    ("GET", "/budget"): budget.get_budget,
    ("GET", "/budget/history"): budget.list_past_budgets,
    ("PUT", "/budget"): budget.set_budget,
    ("DELETE", "/budget"): budget.reset_budget,
    ("POST", "/drain"): budget.drain,
    ("POST", "/resume"): budget.resume,
    ("GET", "/pools"): list_pools,
    ("GET", "/findings"): list_findings,
    ("GET", "/history"): list_changes,
    ("GET", "/whoami"): config_calls.whoami,
    ("GET", "/people"): list_people,
    ("GET", "/prices"): get_prices,
    ("GET", "/spending"): get_spending,
    ("GET", "/config"): config_calls.get_config,
    ("PUT", "/config"): config_calls.apply_config,
    ("POST", "/config/plan"): config_calls.plan_config,
    ("GET", "/config/versions"): config_calls.list_versions,
    ("POST", "/config/rollback"): config_calls.roll_back,
    ("GET", "/config/{kind}"): config_calls.get_config,
    ("PUT", "/config/{kind}"): config_calls.apply_config,
    ("POST", "/config/{kind}/plan"): config_calls.plan_config,
    ("GET", "/config/{kind}/versions"): config_calls.list_versions,
}


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    shared.logger()
    call = Call(event, context)
    if call.route not in ROUTES:
        remedy = "Use a path of docs/reference/rest.md or docs/openapi.json."
        return _refused(refusal(HTTPStatus.NOT_FOUND, "unknown_path", "The API does not have this path", None, remedy))
    try:
        answer = ROUTES[call.route](call)
    except REFUSED as error:
        return _refused(refusal_of(error))
    response = _response(*answer) if isinstance(answer, tuple) else _response(answer)
    return response if bytes_of(response) <= LARGEST_ANSWER else _refused(refusal_of(AnswerTooLarge()))


def _refused(refused: Refusal) -> dict[str, Any]:
    status, body = refused
    return _response(body, status)


def _cors_headers() -> dict[str, list[str]]:
    """Returns the header that lets only the hosted page's scripts read an answer."""
    page = shared.hosted_page()
    return {"Access-Control-Allow-Origin": [page.origin]} if page else {}


def _response(body: object, status: int = HTTPStatus.OK) -> dict[str, Any]:
    return {
        "statusCode": status,
        "multiValueHeaders": {"Content-Type": ["application/json"], **_cors_headers()},
        "body": to_json(body),
        "isBase64Encoded": False,
    }
