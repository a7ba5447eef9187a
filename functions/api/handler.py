"""The REST API's Lambda function: passes a call to the function of its route, and turns errors into refusals."""

import json
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from api.call import Call
from api.routes import ROUTES
from scheduler.errors.internal import BadSetting, BodyUnavailable, StaleControls, StaleJob, UnknownJob
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import shared


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
