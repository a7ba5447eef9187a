"""Turns errors into the refusals that callers see, and logs errors that operators should know about."""

from http import HTTPStatus

from scheduler.errors.internal import (
    BadSetting,
    BodyUnavailable,
    RecordRefused,
    StaleControls,
    StaleJob,
    UnknownArray,
    UnknownJob,
)
from scheduler.errors.refusals import BadRequest, shortened, shown
from scheduler.wiring import shared

#: The errors that a call may raise. Any other error is a bug, and Lambda reports it.
REFUSED = (BadRequest, BadSetting, BodyUnavailable, RecordRefused, UnknownJob, UnknownArray, StaleJob, StaleControls)
Refused = (
    BadRequest | BadSetting | BodyUnavailable | RecordRefused | UnknownJob | UnknownArray | StaleJob | StaleControls
)

Refusal = tuple[int, dict[str, object]]  # HTTP status and JSON body


def refusal_of(error: Refused) -> Refusal:
    match error:
        case BadRequest():
            return refusal(error.status, error.code, error.message, error.field, error.remedy, **error.details)
        case BadSetting():
            shared.logger().error("bad setting", extra={"cause": str(error)})
            remedy = "Ask an operator to deploy the stack with another value."
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "bad_setting", str(error), None, remedy)
        case BodyUnavailable():
            shared.logger().warning("request unavailable", extra={"cause": type(error.__cause__).__name__})
            message = "The job's request cannot be fetched at the moment"
            remedy = "Retry in a moment. If it fails again, ask an operator to check the API's log."
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "request_unavailable", message, None, remedy)
        case RecordRefused():
            shared.logger().error("refused record", extra={"cause": str(error)})
            remedy = "Send a smaller request. If you acted on a job, ask an operator to repair or delete its record."
            return refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", f"Not stored: {error}", None, remedy)
        case UnknownJob():
            name = shortened(str(error))
            message = f'No job named "{name}"' if name.isprintable() else f"No job named {name!r}"
            return refusal(HTTPStatus.NOT_FOUND, "unknown_job", message, "name", "List the jobs with GET /jobs.")
        case UnknownArray():
            message = f"No array named {shown(str(error))}"
            return refusal(HTTPStatus.NOT_FOUND, "unknown_array", message, "name", "List the arrays with GET /arrays.")
        case _:
            message = "Nothing was changed: other calls keep changing the same record, or DynamoDB throttles it"
            return refusal(HTTPStatus.CONFLICT, "busy", message, None, "Retry in a moment.")


def refusal(status: int, code: str, message: str, field: str | None, remedy: str, **details: object) -> Refusal:
    return status, {"error": code, "message": message, "field": field, "remedy": remedy, **details}
