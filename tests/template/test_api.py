"""The door: its calls, and who may pass."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from template.stack import Stack

DOCUMENT = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_the_api_has_the_calls_of_the_openapi_document(stack: Stack) -> None:
    described = json.loads(DOCUMENT.read_text())["paths"]
    calls = {(method, path) for path, methods in described.items() for method in methods}
    assert {(method, path) for method, path, _ in _operations(stack)} == calls


def test_every_call_needs_a_signature(stack: Stack) -> None:
    assert all(operation["security"] == [{"AWS_IAM": []}] for _, _, operation in _operations(stack))
    (api,) = stack.of_type("AWS::ApiGateway::RestApi").values()
    assert api["Body"]["components"]["securitySchemes"]["AWS_IAM"]["x-amazon-apigateway-authtype"] == "awsSigv4"


def test_callers_need_no_permission_to_invoke_functions(stack: Stack) -> None:
    integrations = [operation["x-amazon-apigateway-integration"] for _, _, operation in _operations(stack)]
    assert not [integration for integration in integrations if "credentials" in integration]


def test_the_api_gives_up_no_later_than_api_gateway_does(stack: Stack) -> None:
    assert stack.functions["ApiFunction"]["Timeout"] <= 29


def test_there_is_one_stage_and_it_is_throttled(stack: Stack) -> None:
    (stage,) = stack.of_type("AWS::ApiGateway::Stage").values()
    (settings,) = stage["MethodSettings"]
    assert settings["ThrottlingRateLimit"] > 0
    assert settings["ThrottlingBurstLimit"] > 0


def test_clients_find_the_stage_at_the_output_without_a_slash_at_the_end(stack: Stack) -> None:
    (stage,) = stack.of_type("AWS::ApiGateway::Stage")
    url = stack.expanded["Outputs"]["ApiUrl"]["Value"]["Fn::Sub"]
    assert url == f"https://${{Api}}.execute-api.${{AWS::Region}}.${{AWS::URLSuffix}}/${{{stage}}}"


def _operations(stack: Stack) -> Iterator[tuple[str, str, dict[str, Any]]]:
    (api,) = stack.of_type("AWS::ApiGateway::RestApi").values()
    for path, methods in api["Body"]["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation
