"""Builds the API definition that template.yaml includes for API Gateway."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from api.handler import ROUTES
from openapi.schemas import Schema

PATH = Path(__file__).parents[1] / "stacks" / "api.json"
_LAMBDA = "arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31"
_SIGNED = {"type": "apiKey", "name": "Authorization", "in": "header", "x-amazon-apigateway-authtype": "awsSigv4"}
#: The hosted page's origin, as text for a mapping: only this origin's scripts may call the API.
_ORIGIN = {
    "Fn::Sub": ["'${Origin}'", {"Origin": {"Fn::Select": [0, {"Fn::Split": [",", {"Ref": "HostedPage"}]}]}}],
}
#: The headers in a signed call.
SENT_HEADERS = "authorization,content-type,x-amz-content-sha256,x-amz-date,x-amz-security-token"
_SECONDS_REMEMBERED = 600
#: Answers that API Gateway gives without the function, such as a refused signature.
_OWN_ANSWERS = ("DEFAULT_4XX", "DEFAULT_5XX")


def text() -> str:
    return json.dumps(definition(), indent=1) + "\n"


def definition() -> Schema:
    """Returns OpenAPI 3.0, which API Gateway reads; docs/openapi.json is OpenAPI 3.1."""
    paths: dict[str, Schema] = {}
    for method, path in sorted(ROUTES, key=lambda route: (route[1], route[0])):
        paths.setdefault(path, {})[method.lower()] = _operation()
    for operations in paths.values():
        operations["options"] = _with_hosted_page(_preflight(operations))
    own_answer = {"responseParameters": {"gatewayresponse.header.Access-Control-Allow-Origin": _ORIGIN}}
    return {
        "openapi": "3.0.1",
        "info": {"title": {"Ref": "AWS::StackName"}, "version": "1"},
        "components": {"securitySchemes": {"AWS_IAM": _SIGNED}},
        "paths": paths,
        "x-amazon-apigateway-gateway-responses": _with_hosted_page(dict.fromkeys(_OWN_ANSWERS, own_answer)),
    }


def _operation() -> Schema:
    """Returns an operation without credentials: API Gateway calls the function itself, as the stack allows."""
    integration = {
        "type": "aws_proxy",
        "httpMethod": "POST",
        "uri": {"Fn::Sub": f"{_LAMBDA}/functions/${{ApiFunction.Arn}}/invocations"},
    }
    return {"security": [{"AWS_IAM": []}], "responses": {}, "x-amazon-apigateway-integration": integration}


def _preflight(methods: Iterable[str]) -> Schema:
    """Returns the unsigned operation that a browser calls before the actual call. It does not reach any function."""
    headers: dict[str, Any] = {
        "Access-Control-Allow-Origin": _ORIGIN,
        "Access-Control-Allow-Methods": f"'{','.join(method.upper() for method in methods)}'",
        "Access-Control-Allow-Headers": f"'{SENT_HEADERS}'",
        "Access-Control-Max-Age": f"'{_SECONDS_REMEMBERED}'",
    }
    answer = {
        "statusCode": "204",
        "responseParameters": {f"method.response.header.{name}": value for name, value in headers.items()},
    }
    return {
        "security": [],
        "responses": {
            "204": {"description": "", "headers": {name: {"schema": {"type": "string"}} for name in headers}}
        },
        "x-amazon-apigateway-integration": {
            "type": "mock",
            "requestTemplates": {"application/json": '{"statusCode": 204}'},
            "responses": {"default": answer},
        },
    }


def _with_hosted_page(value: Schema) -> Schema:
    return {"Fn::If": ["HasHostedPage", value, {"Ref": "AWS::NoValue"}]}
