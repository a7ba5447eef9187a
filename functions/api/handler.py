"""The REST API: translates HTTP into calls on the queue, and the queue's errors into answers. One module per noun."""

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from api.http.call import Call
from api.http.views import error_view
from api.routes import ROUTES, answering
from scheduler.errors.internal import BadSetting, BodyUnavailable, StaleControls, StaleJob, UnknownJob
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import shared

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


def handle(event: dict[str, Any], context: "LambdaContext") -> dict[str, Any]:
    shared.logger()
    call = Call(event, context)
    if call.route not in ROUTES:
        remedy = "docs/api.md lists the calls, docs/openapi.json in full."
        return _refusal(HTTPStatus.NOT_FOUND, "unknown_path", "There is nothing at this path", None, remedy)
    try:
        answer = answering(call.route)(call)
    except (BadRequest, BadSetting, BodyUnavailable, UnknownJob, StaleJob, StaleControls) as error:
        return _refused(error)
    return _response(*answer) if isinstance(answer, tuple) else _response(answer)


def _refused(error: Exception) -> dict[str, Any]:
    match error:
        case BadRequest():
            return _refusal(error.status, error.code, error.message, error.field, error.remedy, **error.details)
        case BadSetting():
            shared.logger().error("bad setting", extra={"cause": str(error)})
            remedy = "Whoever runs the queue has to deploy the stack with another value."
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "bad_setting", str(error), None, remedy)
        case BodyUnavailable():
            shared.logger().warning("request unavailable", extra={"cause": type(error.__cause__).__name__})
            message = "The request of the job cannot be fetched at the moment"
            remedy = "Send it again in a moment; if it stays so, whoever runs the queue has to look at the API's log."
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "request_unavailable", message, None, remedy)
        case UnknownJob():
            name = str(error)[:100]
            message = f"There is no job of the name {name if name.isprintable() else repr(name)} in the queue"
            return _refusal(HTTPStatus.NOT_FOUND, "unknown_job", message, "name", "GET /jobs lists the jobs.")
        case _:
            message = "Others keep changing the same record, so nothing was changed for this call"
            return _refusal(HTTPStatus.CONFLICT, "busy", message, None, "Send it again in a moment.")


def _refusal(status: int, code: str, message: str, field: str | None, remedy: str, **details: object) -> dict[str, Any]:
    return _response(error_view(code, message, field, remedy, **details), status)


def _response(body: object, status: int = HTTPStatus.OK) -> dict[str, Any]:
    return {
        "statusCode": status,
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "body": json.dumps(body, separators=(",", ":")),
        "isBase64Encoded": False,
    }
