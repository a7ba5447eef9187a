"""Builds the OpenAPI document."""

import json
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from api.handler import ROUTES
from openapi import bodies
from openapi.operations import OPERATIONS
from openapi.refusals import OF_EACH_CALL, Refused
from openapi.schemas import Schema, Schemas
from scheduler.core.sections.schema import ConfigKind
from scheduler.queue.job_status import JOB_NAME

PATH = Path(__file__).parents[1] / "docs" / "openapi.json"
_EXAMPLE = Path(__file__).parents[1] / "examples" / "request.json"
_ANY_URL = "https://api-id.execute-api.eu-west-1.amazonaws.com/v1"
_GATEWAY = {
    HTTPStatus.FORBIDDEN: "API Gateway: the call is not signed or not allowed, or the path does not exist",
    HTTPStatus.TOO_MANY_REQUESTS: "API Gateway: too many calls at once",
}
_GATEWAY_SCHEMA: Schema = {
    "description": "A response from API Gateway itself.",
    "type": "object",
    "properties": {"message": {"type": ["string", "null"]}, "Message": {"type": ["string", "null"]}},
}


def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def document() -> Schema:
    """Returns the whole document, with every route in the code. Raises KeyError for a route without an Operation."""
    schemas = Schemas()
    paths: dict[str, Schema] = {}
    for method, path in sorted(ROUTES, key=lambda route: (route[1], route[0].lower())):
        paths.setdefault(path, {})[method.lower()] = _operation((method, path), schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "SageQueue",
            "version": "1",
            "description": "A priority queue for SageMaker training jobs; docs/reference/rest.md describes its API. "
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
    known, (name, answer_type) = OPERATIONS[route], _name_and_answer(ROUTES[route], route[1])
    made: Schema = {"operationId": name, "summary": known.summary}
    if parameters := [*_path_parameters(route[1], schemas), *_query_parameters(known.query, schemas)]:
        made["parameters"] = parameters
    if known.body is not None:
        is_required = bool(getattr(known.body, "__required_keys__", True)) or known.body is bodies.ConfigFile
        made["requestBody"] = {"required": is_required, "content": _content(known.body, schemas)}
    answer = schemas.of(answer_type)
    responses = {str(status): _response(HTTPStatus(status).phrase, answer) for status in known.statuses}
    gateway = {"$ref": "#/components/schemas/GatewayMessage"}
    responses |= {str(status.value): _response(description, gateway) for status, description in _GATEWAY.items()}
    for status, refusal in _refusals((*known.refusals, *OF_EACH_CALL), schemas).items():
        responses[status] = _either(responses[status], refusal) if status in responses else refusal
    return made | {"responses": dict(sorted(responses.items()))}


def _path_parameters(path: str, schemas: Schemas) -> Iterator[Schema]:
    if "{name}" in path:
        schema = {"type": "string", "pattern": f"^{JOB_NAME.pattern}$"}
        yield {"name": "name", "in": "path", "required": True, "schema": schema}
    if "{kind}" in path:
        yield {"name": "kind", "in": "path", "required": True, "schema": schemas.of(ConfigKind)}


def _query_parameters(query: type[Any] | None, schemas: Schemas) -> Iterator[Schema]:
    for name, kind in get_type_hints(query, include_extras=True).items() if query else ():
        schema = schemas.of(kind)
        listed = {"style": "form", "explode": False} if schema.get("type") == "array" else {}
        required = {"required": True} if query and name in query.__required_keys__ else {}
        yield {"name": name, "in": "query", **required, **listed, "schema": schema}


def _content(body: Any, schemas: Schemas) -> Schema:
    """Returns a body's media types. Configuration files and their sections may also be YAML."""
    is_section = body is bodies.ConfigSection
    content = {"application/json": {"schema": schemas.of(body)} | ({} if is_section else _example(body))}
    if is_section or body is bodies.ConfigFile:
        content["application/yaml"] = content["application/json"]
    return content


def _example(body: Any) -> Schema:
    request = json.loads(_EXAMPLE.read_text())
    examples = {
        bodies.TrainingRequest: request,
        bodies.Submission: {"request": request, "options": {"priority": 5}, "client_token": "build-4711"},
        bodies.ArraySubmission: {
            "request": {**request, "HyperParameters": {"learning-rate": "${lr}"}},
            "parameters": {"lr": [0.1, 0.01, 0.001]},
            "at_most": 2,
        },
        bodies.NewPriority: {"priority": 5},
        bodies.JobUpdate: {"options": {"priority": 5}, "max_runtime": 7200},
        bodies.Cancellation: {"save_first": True},
        bodies.Requeue: {"attempt": 2},
        bodies.JobApproval: {"max_runtime": 86400},
        bodies.JobsChange: {"change": "cancel", "filter": {"name": "nightly-", "state": ["pending"]}, "limit": 50},
        bodies.PriorityOfJobs: {"names": ["from-curl"], "priority": 5},
        bodies.NewBudget: {"budget": {"ml.m5.large": 2}},
        bodies.ConfigFile: {"policy": {"patience": "10m"}, "notices": {"owners": ["failed", "stopped"]}},
    }
    return {"example": examples[body]}


def _name_and_answer(function: Any, path: str) -> tuple[str, Any]:
    """Returns the operation's name, and the type of its answer."""
    name = function.__name__ + ("_of_kind" if "{kind}" in path else "")
    answer = get_type_hints(function)["return"]
    return name, get_args(answer)[0] if get_origin(answer) is tuple else answer  # a body with its status


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
