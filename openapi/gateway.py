"""Builds the API definition that template.yaml includes for API Gateway."""

import json
from pathlib import Path

from api.handler import ROUTES
from openapi.schemas import Schema

PATH = Path(__file__).parents[1] / "stacks" / "api.json"
_LAMBDA = "arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31"
_SIGNED = {"type": "apiKey", "name": "Authorization", "in": "header", "x-amazon-apigateway-authtype": "awsSigv4"}


def text() -> str:
    return json.dumps(definition(), indent=1) + "\n"


def definition() -> Schema:
    """Returns OpenAPI 3.0, which API Gateway reads; docs/openapi.json is OpenAPI 3.1."""
    paths: dict[str, Schema] = {}
    for method, path in sorted(ROUTES, key=lambda route: (route[1], route[0])):
        paths.setdefault(path, {})[method.lower()] = _operation()
    return {
        "openapi": "3.0.1",
        "info": {"title": {"Ref": "AWS::StackName"}, "version": "1"},
        "components": {"securitySchemes": {"AWS_IAM": _SIGNED}},
        "paths": paths,
    }


def _operation() -> Schema:
    """Returns an operation without credentials: API Gateway calls the function itself, as the stack permits."""
    integration = {
        "type": "aws_proxy",
        "httpMethod": "POST",
        "uri": {"Fn::Sub": f"{_LAMBDA}/functions/${{ApiFunction.Arn}}/invocations"},
    }
    return {"security": [{"AWS_IAM": []}], "responses": {}, "x-amazon-apigateway-integration": integration}
