"""The REST API's Lambda function: names the function of each route, and turns errors into refusals."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from api import budget
from api.call import Call
from api.documents import document_calls
from api.documents.document_calls import apply_document, check_document, get_document
from api.history import list_changes
from api.jobs import job_calls
from api.queue import get_queue, list_findings, list_pools
from scheduler.core.documents.document import DocumentKind
from scheduler.errors.internal import BadSetting, BodyUnavailable, StaleControls, StaleJob, UnknownJob
from scheduler.errors.refusals import BadRequest
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
    ("POST", "/jobs/{name}/priority"): job_calls.prioritise_job,
    ("POST", "/cancel-jobs"): job_calls.cancel_jobs,
    ("GET", "/queue"): get_queue,
    ("GET", "/budget"): budget.get_budget,
    ("PUT", "/budget"): budget.set_budget,
    ("DELETE", "/budget"): budget.reset_budget,
    ("POST", "/drain"): budget.drain,
    ("POST", "/resume"): budget.resume,
    ("GET", "/pools"): list_pools,
    ("GET", "/findings"): list_findings,
    ("GET", "/history"): list_changes,
    ("GET", "/whoami"): document_calls.whoami,
    ("GET", "/rules"): partial(get_document, DocumentKind.RULES),
    ("PUT", "/rules"): partial(apply_document, DocumentKind.RULES),
    ("POST", "/rules/check"): partial(check_document, DocumentKind.RULES),
    ("GET", "/callers"): partial(get_document, DocumentKind.CALLERS),
    ("PUT", "/callers"): partial(apply_document, DocumentKind.CALLERS),
    ("POST", "/callers/check"): partial(check_document, DocumentKind.CALLERS),
    ("GET", "/calendar"): partial(get_document, DocumentKind.CALENDAR),
    ("PUT", "/calendar"): partial(apply_document, DocumentKind.CALENDAR),
    ("POST", "/calendar/check"): partial(check_document, DocumentKind.CALENDAR),
    ("GET", "/pools/rules"): partial(get_document, DocumentKind.POOL_RULES),
    ("PUT", "/pools/rules"): partial(apply_document, DocumentKind.POOL_RULES),
    ("GET", "/prices"): partial(get_document, DocumentKind.PRICES),
    ("PUT", "/prices"): partial(apply_document, DocumentKind.PRICES),
    ("GET", "/spending"): partial(get_document, DocumentKind.SPENDING),
    ("PUT", "/spending"): partial(apply_document, DocumentKind.SPENDING),
}


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    shared.logger()
    call = Call(event, context)
    if call.route not in ROUTES:
        remedy = "Use a path of docs/api.md or docs/openapi.json."
        return _refusal(HTTPStatus.NOT_FOUND, "unknown_path", "The API has no such path", None, remedy)
    try:
        answer = ROUTES[call.route](call)
    except (BadRequest, BadSetting, BodyUnavailable, UnknownJob, StaleJob, StaleControls) as error:
        return _refused(error)
    return _response(*answer) if isinstance(answer, tuple) else _response(answer)


def _refused(error: Exception) -> dict[str, Any]:
    match error:
        case BadRequest():
            return _refusal(error.status, error.code, error.message, error.field, error.remedy, **error.details)
        case BadSetting():
            shared.logger().error("bad setting", extra={"cause": str(error)})
            remedy = "Ask an operator to deploy the stack with another value."
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "bad_setting", str(error), None, remedy)
        case BodyUnavailable():
            shared.logger().warning("request unavailable", extra={"cause": type(error.__cause__).__name__})
            message = "The job's request cannot be fetched at the moment"
            remedy = "Retry in a moment. If it fails again, ask an operator to check the API's log."
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "request_unavailable", message, None, remedy)
        case UnknownJob():
            name = str(error)[:100]
            message = f'No job named "{name}"' if name.isprintable() else f"No job named {name!r}"
            return _refusal(HTTPStatus.NOT_FOUND, "unknown_job", message, "name", "List the jobs with GET /jobs.")
        case _:
            message = "Nothing was changed: other calls keep changing the same record"
            return _refusal(HTTPStatus.CONFLICT, "busy", message, None, "Retry in a moment.")


def _refusal(status: int, code: str, message: str, field: str | None, remedy: str, **details: object) -> dict[str, Any]:
    return _response({"error": code, "message": message, "field": field, "remedy": remedy, **details}, status)


def _response(body: object, status: int = HTTPStatus.OK) -> dict[str, Any]:
    return {
        "statusCode": status,
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "body": json.dumps(body, separators=(",", ":")),
        "isBase64Encoded": False,
    }
