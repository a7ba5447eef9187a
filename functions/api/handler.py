"""The REST API: translates HTTP into calls on the queue, and the queue's errors into answers. One router per noun."""

from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext

from api import calendar, callers, control, history, jobs, pools, prices, queue, rules, spending
from api.views import error_view
from scheduler import wiring
from scheduler.errors import BadSetting, BodyUnavailable, StaleControls, StaleJob, UnknownJob
from scheduler.refusals import BadRequest

app = APIGatewayRestResolver()
for noun in (jobs, control, queue, rules, callers, calendar, pools, prices, spending, history):
    app.include_router(noun.router)


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    wiring.logger()
    return app.resolve(event, context)


@app.exception_handler(BadRequest)
def refuse(error: BadRequest) -> Response[dict[str, Any]]:
    return _refusal(error.status, error.code, error.message, error.field, error.remedy, **error.details)


@app.exception_handler(BadSetting)
def out_of_order(error: BadSetting) -> Response[dict[str, Any]]:
    wiring.logger().error("bad setting", extra={"cause": str(error)})
    remedy = "Whoever runs the queue has to deploy the stack with another value."
    return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "bad_setting", str(error), None, remedy)


@app.exception_handler(BodyUnavailable)
def unavailable(error: BodyUnavailable) -> Response[dict[str, Any]]:
    wiring.logger().warning("request unavailable", extra={"cause": type(error.__cause__).__name__})
    message = "The request of the job cannot be fetched at the moment"
    remedy = "Send it again in a moment; if it stays so, whoever runs the queue has to look at the API's log."
    return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "request_unavailable", message, None, remedy)


@app.exception_handler(UnknownJob)
def not_found(error: UnknownJob) -> Response[dict[str, Any]]:
    return _no_such_job(str(error))


@app.exception_handler([StaleJob, StaleControls])
def overtaken(error: StaleJob | StaleControls) -> Response[dict[str, Any]]:  # noqa: ARG001 - the resolver passes it
    message = "Others keep changing the same record, so nothing was changed for this call"
    return _refusal(HTTPStatus.CONFLICT, "busy", message, None, "Send it again in a moment.")


@app.not_found
def no_such_path(error: NotFoundError) -> Response[dict[str, Any]]:  # noqa: ARG001 - the resolver passes it
    if "{name}" in app.current_event.resource:  # the router takes fewer characters for a name than API Gateway does
        return _no_such_job(repr(app.current_event.path_parameters["name"][:100]))
    remedy = "docs/api.md lists the calls, docs/openapi.json in full."
    return _refusal(HTTPStatus.NOT_FOUND, "unknown_path", "There is nothing at this path", None, remedy)


def _no_such_job(name: str) -> Response[dict[str, Any]]:
    message = f"There is no job of the name {name} in the queue"
    return _refusal(HTTPStatus.NOT_FOUND, "unknown_job", message, "name", "GET /jobs lists the jobs.")


def _refusal(
    status: int, code: str, message: str, field: str | None, remedy: str, **details: object
) -> Response[dict[str, Any]]:
    return Response(status, content_type="application/json", body=error_view(code, message, field, remedy, **details))
