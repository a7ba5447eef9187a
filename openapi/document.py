"""Builds the OpenAPI document."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from api.documents.document_calls import ANSWERS, DRY_RUNS, check_document
from api.handler import ROUTES
from openapi import bodies
from openapi.operations import OPERATIONS
from openapi.refusals import BAD_SETTING, Refused
from openapi.schemas import Schema, Schemas
from scheduler.queue.job_status import JOB_NAME

PATH = Path(__file__).parents[1] / "docs" / "openapi.json"
_EXAMPLE = Path(__file__).parents[1] / "examples" / "request.json"
_ANY_URL = "https://api-id.execute-api.eu-west-1.amazonaws.com/v1"
_GATEWAY = {
    HTTPStatus.FORBIDDEN: "API Gateway: the call is not signed or not allowed, or has no such path",
    HTTPStatus.TOO_MANY_REQUESTS: "API Gateway: too many calls at once",
}
_GATEWAY_SCHEMA: Schema = {
    "description": "An answer of API Gateway itself.",
    "type": "object",
    "properties": {"message": {"type": ["string", "null"]}, "Message": {"type": ["string", "null"]}},
}


def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def document() -> Schema:
    """Returns the whole document, with every route of the code. Raises KeyError for a route without an Operation."""
    schemas = Schemas()
    paths: dict[str, Schema] = {}
    for method, path in sorted(ROUTES, key=lambda route: (route[1], route[0].lower())):
        paths.setdefault(path, {})[method.lower()] = _operation((method, path), schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "SageQueue",
            "version": "1",
            "description": "A priority queue for SageMaker training jobs; docs/api.md describes it. "
            "API Gateway itself answers 413, without the fields of a refusal, to bodies of about 6 MB or more.",
        },
        "servers": [
            {
                "url": "{ApiUrl}",
                "variables": {"ApiUrl": {"default": _ANY_URL, "description": "The stack's output ApiUrl."}},
            }
        ],
        "security": [{"AWS_IAM": []}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.components.items())) | {"GatewayMessage": _GATEWAY_SCHEMA},
            "securitySchemes": {
                "AWS_IAM": {
                    "type": "apiKey",
                    "name": "Authorization",
                    "in": "header",
                    "description": "AWS Signature Version 4, service execute-api",
                    "x-amazon-apigateway-authtype": "awsSigv4",
                }
            },
        },
    }


def _operation(route: tuple[str, str], schemas: Schemas) -> Schema:
    known, (name, answer_type) = OPERATIONS[route], _name_and_answer(ROUTES[route])
    made: Schema = {"operationId": name, "summary": known.summary}
    if parameters := [*_path_parameters(route[1]), *_query_parameters(known.query, schemas)]:
        made["parameters"] = parameters
    if known.body is not None:
        content = {"schema": schemas.of(known.body)} | _example(known.body)
        is_required = bool(known.body.__required_keys__)
        made["requestBody"] = {"required": is_required, "content": {"application/json": content}}
    answer = schemas.of(answer_type)
    responses = {str(status): _response(HTTPStatus(status).phrase, answer) for status in known.statuses}
    gateway = {"$ref": "#/components/schemas/GatewayMessage"}
    responses |= {str(status.value): _response(description, gateway) for status, description in _GATEWAY.items()}
    for status, refusal in _refusals((*known.refusals, *BAD_SETTING), schemas).items():
        responses[status] = _either(responses[status], refusal) if status in responses else refusal
    return made | {"responses": dict(sorted(responses.items()))}


def _path_parameters(path: str) -> Iterator[Schema]:
    if "{name}" in path:
        schema = {"type": "string", "pattern": f"^{JOB_NAME.pattern}$"}
        yield {"name": "name", "in": "path", "required": True, "schema": schema}


def _query_parameters(query: type[Any] | None, schemas: Schemas) -> Iterator[Schema]:
    for name, kind in get_type_hints(query, include_extras=True).items() if query else ():
        schema = schemas.of(kind)
        listed = {"style": "form", "explode": False} if schema.get("type") == "array" else {}
        yield {"name": name, "in": "query", **listed, "schema": schema}


def _example(body: type[Any]) -> Schema:
    request = json.loads(_EXAMPLE.read_text())
    examples = {
        bodies.TrainingRequest: request,
        bodies.Submission: {"request": request, "options": {"priority": 5}, "client_token": "build-4711"},
        bodies.NewPriority: {"priority": 5},
        bodies.Requeue: {"attempt": 2},
        bodies.Cancellation: {"filter": {"name": "nightly-", "state": "pending"}, "limit": 50},
        bodies.NewBudget: {"budget": {"ml.m5.large": 2}},
        bodies.RulesDocument: {"format": 1, "rules": []},
        bodies.CalendarDocument: {
            "format": 1,
            "time_zone": "Europe/Berlin",
            "windows": [{"name": "weekends", "weekly": ["fri 20:00 - mon 07:00"], "budget": {"ml.m5.large": 4}}],
        },
        bodies.PoolRulesDocument: {
            "format": 1,
            "pools": [{"instance_type": "ml.m5.large", "use": "reuse", "minutes": 30}],
        },
        bodies.PricesDocument: {
            "format": 1,
            "as_of": "2026-11-20",
            "prices": [{"instance_type": "ml.p5.48xlarge", "dollars_per_hour": 55.0, "spot_share": 0.4}],
        },
        bodies.SpendingDocument: {
            "format": 1,
            "time_zone": "Europe/Berlin",
            "limits": [{"name": "each-owner", "owner": "*", "gpu_hours": 500}],
        },
        bodies.CallersDocument: {
            "format": 1,
            "callers": [{"name": "vision", "principals": ["role/Vision"], "verbs": ["submit", "control_own"]}],
        },
    }
    return {"example": examples[body]}


def _name_and_answer(function: Any) -> tuple[str, Any]:
    """Returns the operation's name, and the type of its answer."""
    if isinstance(function, partial):  # it serves one kind of document
        (kind,), answers = function.args, DRY_RUNS if function.func is check_document else ANSWERS
        verb = function.func.__name__.partition("_")[0]
        return f"{verb}_{kind}", get_type_hints(answers[kind])["return"]
    answer = get_type_hints(function)["return"]
    return function.__name__, get_args(answer)[0] if get_origin(answer) is tuple else answer  # a body with its status


def _refusals(refusals: Iterable[Refused], schemas: Schemas) -> dict[str, Schema]:
    by_status: dict[int, list[Refused]] = {}
    for refusal in refusals:
        by_status.setdefault(refusal.status, []).append(refusal)
    return {str(status): _refusal(known, schemas) for status, known in by_status.items()}


def _refusal(refusals: list[Refused], schemas: Schemas) -> Schema:
    shapes = [
        schemas.of(shape)
        | {"properties": {"error": {"enum": [refusal.code for refusal in refusals if refusal.shape is shape]}}}
        for shape in dict.fromkeys(refusal.shape for refusal in refusals)
    ]
    schema = shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
    return _response("Refused: " + ", ".join(f"`{refusal.code}`" for refusal in refusals), schema)


def _either(first: Schema, second: Schema) -> Schema:
    schemas = [response["content"]["application/json"]["schema"] for response in (first, second)]
    return _response(f"{first['description']}. {second['description']}", {"anyOf": schemas})


def _response(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": schema}}}
