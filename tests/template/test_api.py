"""The REST API: its routes, and the access to them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openapi import gateway

from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack

DOCUMENT = CHECKOUT / "docs" / "openapi.json"


def test_the_api_has_the_calls_of_the_openapi_document(stack: Stack) -> None:
    described = json.loads(DOCUMENT.read_text())["paths"]
    calls = {(method, path) for path, methods in described.items() for method in methods}
    assert {(method, path) for method, path, _ in _operations(stack)} == calls


def test_every_call_needs_a_signature(stack: Stack) -> None:
    assert all(operation["security"] == [{"AWS_IAM": []}] for _, _, operation in _operations(stack))
    (api,) = stack.of_type("AWS::ApiGateway::RestApi").values()
    assert api["Body"]["components"]["securitySchemes"]["AWS_IAM"]["x-amazon-apigateway-authtype"] == "awsSigv4"


def test_the_definition_is_the_generated_one(stack: Stack) -> None:
    include = stack.source["Resources"]["Api"]["Properties"]["DefinitionBody"]["Fn::Transform"]
    assert include == {"Name": "AWS::Include", "Parameters": {"Location": str(gateway.PATH.relative_to(CHECKOUT))}}
    assert gateway.PATH.read_text() == gateway.text(), "make openapi writes it anew"


def test_one_permission_lets_this_api_call_its_function(stack: Stack) -> None:
    callers = [one for one in stack.of_type("AWS::Lambda::Permission").values() if "apigateway" in one["Principal"]]
    assert callers == [
        {
            "FunctionName": {"Ref": "ApiFunction"},
            "Action": "lambda:InvokeFunction",
            "Principal": "apigateway.amazonaws.com",
            "SourceArn": {
                "Fn::Sub": "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*",
            },
        }
    ]
    called = {str(operation["x-amazon-apigateway-integration"]["uri"]) for _, _, operation in _operations(stack)}
    assert [uri for uri in called if "/functions/${ApiFunction.Arn}/invocations" in uri] == [*called]


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


def test_the_api_is_regional_and_denies_other_accounts(stack: Stack) -> None:
    (api,) = (
        stack.where(IsPrivate=False, DeniesOtherCallers=False, HasHostedPage=False)
        .of_type("AWS::ApiGateway::RestApi")
        .values()
    )
    assert api["EndpointConfiguration"] == {"Types": ["REGIONAL"]}
    (statement,) = api["Body"]["x-amazon-apigateway-policy"]["Statement"]
    assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
    assert statement["Condition"] == {"StringNotEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}


def test_a_private_api_answers_only_calls_through_its_endpoints(stack: Stack) -> None:
    (api,) = stack.where(IsPrivate=True, HasHostedPage=False).of_type("AWS::ApiGateway::RestApi").values()
    endpoints = {"Fn::Split": [",", {"Ref": "VpcEndpoints"}]}
    assert api["EndpointConfiguration"] == {"Types": ["PRIVATE"], "VpcEndpointIds": endpoints}
    accounts, elsewhere, *_ = api["Body"]["x-amazon-apigateway-policy"]["Statement"]
    assert (accounts["Effect"], elsewhere["Effect"], elsewhere["Principal"]) == ("Deny", "Deny", "*")
    assert elsewhere["Condition"] == {"StringNotEquals": {"aws:SourceVpce": endpoints}}


@pytest.mark.parametrize(
    ("named", "principals"),
    [
        (True, {"Fn::Split": [",", {"Ref": "PrivateCallers"}]}),
        (False, {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:root"}),
    ],
)
def test_a_private_api_names_its_callers_and_never_allows_all(stack: Stack, *, named: bool, principals: object) -> None:
    private = stack.where(IsPrivate=True, NamesPrivateCallers=named, DeniesOtherCallers=named, HasHostedPage=False)
    (api,) = private.of_type("AWS::ApiGateway::RestApi").values()
    allowed = [one for one in api["Body"]["x-amazon-apigateway-policy"]["Statement"] if one["Effect"] == "Allow"]
    assert [statement["Principal"] for statement in allowed] == [{"AWS": principals}]


def test_a_private_api_denies_callers_that_it_does_not_name(stack: Stack) -> None:
    """Within an account, the caller's own policy would be enough."""
    (api,) = (
        stack.where(IsPrivate=True, NamesPrivateCallers=True, DeniesOtherCallers=True)
        .of_type("AWS::ApiGateway::RestApi")
        .values()
    )
    (denied,) = [
        one
        for one in api["Body"]["x-amazon-apigateway-policy"]["Statement"]
        if "aws:PrincipalArn" in str(one.get("Condition"))
    ]
    named = {"Fn::Split": [",", {"Ref": "PrivateCallers"}]}
    assert (denied["Effect"], denied["Principal"]) == ("Deny", "*")
    assert denied["Condition"] == {"ArnNotEquals": {"aws:PrincipalArn": named}}


def test_a_public_api_refuses_a_list_of_private_callers(stack: Stack) -> None:
    rule = stack.source["Rules"]["PrivateCallersNeedPrivateApi"]
    assert rule["RuleCondition"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "PrivateCallers"}, ""]}]}
    (assertion,) = rule["Assertions"]
    assert assertion["Assert"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "VpcEndpoints"}, ""]}]}


def test_a_changed_policy_is_always_deployed(stack: Stack) -> None:
    """Only a new deployment makes it effective, and SAM's own trigger ignores values of parameters."""
    assert stack.source["Resources"]["Api"]["Properties"]["AlwaysDeploy"] is True


def test_calls_are_logged_only_if_the_operator_wants_it_and_without_bodies(stack: Stack) -> None:
    (silent,) = stack.where(LogsAccess=False).of_type("AWS::ApiGateway::Stage").values()
    (stage,) = stack.where(LogsAccess=True).of_type("AWS::ApiGateway::Stage").values()
    assert "AccessLogSetting" not in silent
    group = stage["AccessLogSetting"]["DestinationArn"]["Fn::Sub"]
    assert group.endswith(":log-group:${AccessLogs}")  # without the :* at the end that API Gateway refuses
    told = json.loads(stage["AccessLogSetting"]["Format"])
    assert told["person"] == "$context.identity.cognitoAuthenticationProvider"  # all people of a group share one ARN
    assert not {value for value in told.values() if "body" in value or "querystring" in value or "path." in value}
    assert stage["MethodSettings"][0].get("DataTraceEnabled") is None  # it would log bodies


def _operations(stack: Stack) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yields the calls. With a hosted page there are preflights, too (test_hosted_page.py)."""
    (api,) = stack.where(HasHostedPage=False).of_type("AWS::ApiGateway::RestApi").values()
    for path, methods in api["Body"]["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation
