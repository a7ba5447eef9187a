"""The stack of the hosted page: who gets credentials, for which calls, and what a browser may load."""

import re
from fnmatch import fnmatchcase
from typing import Any

import pytest

from api.handler import ROUTES
from scheduler.core.callers.hosted_page import HostedPage
from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack

CALLS = {f"{method}{path}" for method, path in ROUTES}


def calls_of(page: Stack, role: str) -> set[str]:
    """Returns the routes that the role may call."""
    allowed: set[str] = set()
    for policy in page.of_type("AWS::IAM::ManagedPolicy").values():
        if {"Ref": role} in policy["Roles"]:
            (statement,) = policy["PolicyDocument"]["Statement"]
            assert (statement["Effect"], statement["Action"]) == ("Allow", "execute-api:Invoke")
            allowed |= {resource["Fn::Sub"].partition("/*/")[2] for resource in statement["Resource"]}
    return {call for call in CALLS if any(fnmatchcase(call, pattern) for pattern in allowed)}


def test_people_in_no_group_change_nothing(page: Stack) -> None:
    changing = {call for call in calls_of(page, "ReaderRole") if not call.startswith("GET/")}
    assert changing == {"POST/what-if", "POST/what-if-priority"}  # forecasts


def test_everybody_reads_all_that_the_page_shows(page: Stack) -> None:
    unread = {call for call in CALLS if call.startswith("GET/")} - calls_of(page, "ReaderRole")
    assert unread == {"GET/arrays/{name}", "GET/budget/history"}


def test_each_group_may_do_what_the_one_below_it_may(page: Stack) -> None:
    reader, user, operator = (calls_of(page, role) for role in ("ReaderRole", "UserRole", "OperatorRole"))
    assert reader < user < operator
    assert user - reader >= {"POST/jobs", "POST/jobs/{name}/cancel", "POST/change-jobs"}
    assert {call.split("/")[1] for call in operator - user} == {"config"}


def test_every_pattern_of_a_call_matches_one(page: Stack) -> None:
    texts = re.findall(r"\$\{ApiId}/\*/([^'\"]+)", str(page.expanded["Resources"]))
    assert texts
    assert not [text for text in texts if not any(fnmatchcase(call, text) for call in CALLS)]


@pytest.mark.parametrize("role", ["ReaderRole", "UserRole", "OperatorRole"])
def test_only_people_that_this_identity_pool_signed_in_get_a_role(page: Stack, role: str) -> None:
    (statement,) = page.of_type("AWS::IAM::Role")[role]["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Federated": "cognito-identity.amazonaws.com"}
    assert statement["Condition"] == {
        "StringEquals": {"cognito-identity.amazonaws.com:aud": {"Ref": "Identities"}},
        "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"},
    }


def test_nobody_chooses_the_name_of_a_session_or_stays_anonymous(page: Stack) -> None:
    (pool,) = page.of_type("AWS::Cognito::IdentityPool").values()
    assert (pool["AllowClassicFlow"], pool["AllowUnauthenticatedIdentities"]) == (False, False)
    (provider,) = pool["CognitoIdentityProviders"]
    assert provider["ServerSideTokenCheck"] is True


def test_a_group_is_the_role_in_the_token_and_no_claim_of_a_provider(page: Stack) -> None:
    (roles,) = page.of_type("AWS::Cognito::IdentityPoolRoleAttachment").values()
    assert roles["Roles"] == {"authenticated": {"Fn::GetAtt": ["ReaderRole", "Arn"]}}
    (mapping,) = roles["RoleMappings"].values()
    assert (mapping["Type"], mapping["AmbiguousRoleResolution"]) == ("Token", "AuthenticatedRole")
    groups = page.of_type("AWS::Cognito::UserPoolGroup").values()
    assert {group["GroupName"]: group["RoleArn"]["Fn::GetAtt"][0] for group in groups} == {
        "users": "UserRole",
        "operators": "OperatorRole",
    }
    (provider,) = page.of_type("AWS::Cognito::UserPoolIdentityProvider").values()
    assert provider["AttributeMapping"] == {"email": "email", "email_verified": "email_verified"}


def test_the_client_has_no_secret_and_only_codes(page: Stack) -> None:
    (client,) = page.of_type("AWS::Cognito::UserPoolClient").values()
    assert (client["GenerateSecret"], client["AllowedOAuthFlows"]) == (False, ["code"])
    assert client["ExplicitAuthFlows"] == ["ALLOW_REFRESH_TOKEN_AUTH"]
    assert client["AllowedOAuthScopes"] == ["openid", "email"]
    assert client["CallbackURLs"] == [{"Fn::Sub": "https://${Distribution.DomainName}/"}]


def test_strangers_cannot_register(page: Stack) -> None:
    (pool,) = page.of_type("AWS::Cognito::UserPool").values()
    assert pool["AdminCreateUserConfig"] == {"AllowAdminCreateUserOnly": True}


@pytest.mark.parametrize(
    ("has_provider", "asked", "factors"), [(True, "OFF", None), (False, "ON", ["SOFTWARE_TOKEN_MFA"])]
)
def test_the_pool_has_a_second_factor_exactly_if_it_asks_for_one(
    page: Stack, has_provider: bool, asked: str, factors: list[str] | None
) -> None:
    """Cognito refuses a pool with a factor that is off."""
    (pool,) = page.where(HasProvider=has_provider).of_type("AWS::Cognito::UserPool").values()
    assert (pool["MfaConfiguration"], pool.get("EnabledMfas")) == (asked, factors)


def test_the_page_loads_nothing_of_others_and_calls_three_hosts(page: Stack) -> None:
    (headers,) = page.of_type("AWS::CloudFront::ResponseHeadersPolicy").values()
    security = headers["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]
    text = security["ContentSecurityPolicy"]["ContentSecurityPolicy"]["Fn::Sub"]
    rules: dict[str, list[str]] = {name: given for name, *given in (rule.split() for rule in text.split(";"))}
    hosts = rules.pop("connect-src")
    assert [host.partition(".")[0] for host in hosts] == [
        "'self'",
        "https://${ApiId}",
        "https://cognito-identity",
        "https://${SignInPrefix}",
    ]
    own = {key: ["'self'"] for key in ("script-src", "style-src", "img-src")}
    nothing = {key: ["'none'"] for key in ("default-src", "base-uri", "form-action", "frame-ancestors")}
    assert rules == own | nothing


def test_only_this_distribution_reads_the_files(page: Stack) -> None:
    (policy,) = page.of_type("AWS::S3::BucketPolicy").values()
    allowed, denied = policy["PolicyDocument"]["Statement"]
    assert (allowed["Action"], allowed["Principal"]) == ("s3:GetObject", {"Service": "cloudfront.amazonaws.com"})
    assert "distribution/${Distribution}" in str(allowed["Condition"])
    assert (denied["Effect"], denied["Principal"]) == ("Deny", "*")


def test_the_queue_accepts_the_output(page: Stack, stack: Stack) -> None:
    text = page.expanded["Outputs"]["HostedPage"]["Value"]["Fn::Sub"]
    values = {
        "Distribution.DomainName": "d111111abcdef8.cloudfront.net",
        "People": "eu-west-1_AbCdEfGhI",
        "Identities": "eu-west-1:5cbd3c7e-1eb1-4c6e-b3e8-d346223fd500",
    }
    value = re.sub(r"\$\{([\w.]+)}", lambda found: values[found[1]], text)
    parameter: dict[str, Any] = stack.source["Parameters"]["HostedPage"]
    assert re.fullmatch(parameter["AllowedPattern"], value)
    assert HostedPage.parse(value).origin == "https://d111111abcdef8.cloudfront.net"


@pytest.mark.parametrize("kind", ["OriginAccessControl", "ResponseHeadersPolicy"])
def test_pages_in_two_regions_have_different_names_in_cloudfront(page: Stack, kind: str) -> None:
    (resource,) = page.of_type(f"AWS::CloudFront::{kind}").values()
    assert resource[f"{kind}Config"]["Name"] == {"Fn::Sub": "${AWS::StackName}-${AWS::Region}"}


def test_the_page_explains_how_to_delete_what_cloudformation_keeps(page: Stack) -> None:
    kept = {name for name, resource in page.expanded["Resources"].items() if "DeletionPolicy" in resource}
    assert kept == {"People"}
    section = (CHECKOUT / "docs/admin/hosted-page.md").read_text().partition("## Delete the page\n")[2]
    assert re.findall(r"^\$ aws ([\w-]+ [\w-]+)", section, re.MULTILINE) == [
        "s3 rm",
        "cloudformation delete-stack",
        "cognito-idp update-user-pool",
        "cognito-idp delete-user-pool",
    ]
