"""The REST API: translates HTTP into calls on the queue, and the queue's errors into answers."""

import re
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext

from api.views import error_view, job_view, listing_view, request_view
from scheduler import wiring
from scheduler.domain.job import JobState
from scheduler.errors import BadRequest, BadSetting, UnknownJob

app = APIGatewayRestResolver()
DEFAULT_PAGE = 50
MAX_PAGE = 200


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    wiring.logger()
    return app.resolve(event, context)


@app.post("/add-job")
def add_job() -> tuple[dict[str, Any], int]:
    body = (app.current_event.decoded_body or "").encode(errors="surrogatepass")
    standing, is_new = wiring.job_queue().submit(body, caller=_caller())
    return job_view(standing, _arn_prefix()), HTTPStatus.CREATED if is_new else HTTPStatus.OK


@app.get("/jobs")
def list_jobs() -> dict[str, Any]:
    query = app.current_event.query_string_parameters or {}
    listing = wiring.job_queue().list(_state(query.get("state")), _limit(query.get("limit")), query.get("next"))
    return listing_view(listing, _arn_prefix())


@app.get("/jobs/<name>")
def show_job(name: str) -> dict[str, Any]:
    standing, request = wiring.job_queue().show(name)
    return request_view(standing, request, _arn_prefix())


@app.post("/jobs/<name>/cancel")
def cancel_job(name: str) -> tuple[dict[str, Any], int]:
    return job_view(wiring.job_queue().cancel(name, caller=_caller()), _arn_prefix()), HTTPStatus.ACCEPTED


@app.exception_handler(BadRequest)
def refuse(error: BadRequest) -> Response[dict[str, Any]]:
    return _refusal(error.status, error.code, error.message, error.field, error.remedy)


@app.exception_handler(BadSetting)
def out_of_order(error: BadSetting) -> Response[dict[str, Any]]:
    wiring.logger().error("bad setting", extra={"cause": str(error)})
    remedy = "Whoever runs the queue has to deploy the stack with another value."
    return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "bad_setting", str(error), None, remedy)


@app.exception_handler(UnknownJob)
def not_found(error: UnknownJob) -> Response[dict[str, Any]]:
    message = f"There is no job of the name {error} in the queue"
    return _refusal(HTTPStatus.NOT_FOUND, "unknown_job", message, "name", "GET /jobs lists the jobs.")


@app.not_found
def no_such_path(error: NotFoundError) -> Response[dict[str, Any]]:  # noqa: ARG001 - the resolver passes it
    remedy = "Use POST /add-job, GET /jobs, GET /jobs/{name} or POST /jobs/{name}/cancel."
    return _refusal(HTTPStatus.NOT_FOUND, "unknown_path", "There is nothing at this path", None, remedy)


def _refusal(status: int, code: str, message: str, field: str | None, remedy: str) -> Response[dict[str, Any]]:
    return Response(status, content_type="application/json", body=error_view(code, message, field, remedy))


def _caller() -> str:
    return app.current_event.request_context.identity.user_arn or "unknown"


def _arn_prefix() -> str:
    _, partition, _, region, account, *_ = app.lambda_context.invoked_function_arn.split(":")
    return f"arn:{partition}:sagemaker:{region}:{account}:training-job/"


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
