"""The API with a hosted page: browsers' preflights from one origin, and everything else as strict as without."""

import re
from fnmatch import fnmatchcase
from typing import Any

import pytest

from support.stack.expanded_template import Stack

ORIGIN = {"Fn::Sub": ["'${Origin}'", {"Origin": {"Fn::Select": [0, {"Fn::Split": [",", {"Ref": "HostedPage"}]}]}}]}


@pytest.fixture
def api(stack: Stack) -> dict[str, Any]:
    public = stack.where(HasHostedPage=True, IsPrivate=False, DeniesOtherCallers=False)
    (api,) = public.of_type("AWS::ApiGateway::RestApi").values()
    return api


def test_only_preflights_need_no_signature(api: dict[str, Any]) -> None:
    for methods in api["Body"]["paths"].values():
        assert {method for method, operation in methods.items() if operation["security"] == []} == {"options"}


def test_a_preflight_reaches_no_function_and_allows_one_origin(api: dict[str, Any]) -> None:
    for methods in api["Body"]["paths"].values():
        integration = methods["options"]["x-amazon-apigateway-integration"]
        assert integration["type"] == "mock"
        headers = integration["responses"]["default"]["responseParameters"]
        assert headers["method.response.header.Access-Control-Allow-Origin"] == ORIGIN
        allowed = headers["method.response.header.Access-Control-Allow-Methods"].strip("'").split(",")
        assert {method.lower() for method in allowed} == methods.keys() - {"options"}
        assert not [name for name in headers if "Credentials" in name]


def test_answers_of_api_gateway_itself_name_the_same_origin(api: dict[str, Any]) -> None:
    answers = api["Body"]["x-amazon-apigateway-gateway-responses"]
    assert answers.keys() == {"DEFAULT_4XX", "DEFAULT_5XX"}
    for answer in answers.values():
        assert answer == {"responseParameters": {"gatewayresponse.header.Access-Control-Allow-Origin": ORIGIN}}


def test_the_policy_admits_preflights_and_denies_other_accounts_every_call(api: dict[str, Any]) -> None:
    denied, allowed = api["Body"]["x-amazon-apigateway-policy"]["Statement"]
    assert (denied["Effect"], denied["Principal"]) == ("Deny", "*")
    assert denied["Condition"] == {"StringNotEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}
    methods = {method.upper() for methods in api["Body"]["paths"].values() for method in methods} - {"OPTIONS"}
    assert {resource.split("/")[2] for resource in denied["Resource"]} == methods
    assert (allowed["Effect"], allowed["Resource"]) == ("Allow", "execute-api:/v1/OPTIONS/*")


def test_the_policy_denies_no_preflight_whatever_the_name_in_its_path(api: dict[str, Any]) -> None:
    denied, allowed = api["Body"]["x-amazon-apigateway-policy"]["Statement"]
    for method in ("GET", "POST", "PUT", "DELETE"):
        preflights = {f"execute-api:/v1/OPTIONS{re.sub('{[a-z]+}', method, path)}" for path in api["Body"]["paths"]}
        assert not [one for one in preflights if any(fnmatchcase(one, pattern) for pattern in denied["Resource"])]
        assert all(fnmatchcase(one, allowed["Resource"]) for one in preflights)


def test_the_policy_allows_no_call_whatever_the_name_in_its_path(api: dict[str, Any]) -> None:
    """In IAM, `*` also matches `/`, and in its own account an Allow here would replace a caller's permission."""
    _, allowed = api["Body"]["x-amazon-apigateway-policy"]["Statement"]
    calls = {
        (method.upper(), f"execute-api:/v1/{method.upper()}{re.sub('{[a-z]+}', 'OPTIONS', path)}")
        for path, methods in api["Body"]["paths"].items()
        for method in methods
    }
    assert {method for method, call in calls if fnmatchcase(call, allowed["Resource"])} == {"OPTIONS"}


def test_only_the_page_s_own_address_is_accepted(stack: Stack) -> None:
    pattern, pools = stack.source["Parameters"]["HostedPage"]["AllowedPattern"], f"eu-west-1_A,eu-west-1:{'0' * 36}"
    accepted = [
        origin
        for origin in ("https://d1.example", "http://d1.example", "http://localhost:8080", "*")
        if re.fullmatch(pattern, f"{origin},{pools}")
    ]
    assert accepted == ["https://d1.example"]


def test_without_a_hosted_page_nothing_answers_browsers(stack: Stack) -> None:
    (api,) = stack.where(HasHostedPage=False).of_type("AWS::ApiGateway::RestApi").values()
    assert not [path for path, methods in api["Body"]["paths"].items() if "options" in methods]
    assert "x-amazon-apigateway-gateway-responses" not in api["Body"]
    denied = api["Body"]["x-amazon-apigateway-policy"]["Statement"][0]
    assert (denied["Effect"], denied["Resource"]) == ("Deny", "execute-api:/*")


def test_a_private_api_refuses_a_hosted_page(stack: Stack) -> None:
    rule = stack.source["Rules"]["HostedPageNeedsPublicApi"]
    assert rule["RuleCondition"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "HostedPage"}, ""]}]}
    (assertion,) = rule["Assertions"]
    assert assertion["Assert"] == {"Fn::Equals": [{"Ref": "VpcEndpoints"}, ""]}
    assert stack.expanded["Rules"] == stack.source["Rules"]
