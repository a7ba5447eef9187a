"""The property of callers' identity fails with each planted defect."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from api.call import Call
from property.test_identity import test_a_caller_is_the_verified_person_whatever_the_call_claims as only_the_verified
from scheduler.core.callers import hosted_page
from scheduler.core.callers.hosted_page import HostedPage
from support.planted_defects import Defect, expect_failure

_caller: Callable[[Call], str] = vars(Call)["caller"].fget
_caller_in = HostedPage.caller_in


def named_by_a_header(call: Call) -> str:
    return call.event["headers"].get("X-User") or _caller(call)


def named_by_the_query(call: Call) -> str:
    return call.query.get("owner") or _caller(call)


def named_by_the_shared_role(_page: HostedPage, identity: Mapping[str, Any]) -> str:
    return str(identity["userArn"])


def of_any_identity_pool(page: HostedPage, identity: Mapping[str, Any]) -> str:
    return _caller_in(replace(page, identity_pool=identity["cognitoIdentityPoolId"]), identity)


def of_any_user_pool(_page: HostedPage, identity: Mapping[str, Any]) -> str | None:
    if identity["cognitoAuthenticationType"] != "authenticated":
        return None
    return str(identity["cognitoAuthenticationProvider"].rpartition(":")[2])


def signed_in_or_not(page: HostedPage, identity: Mapping[str, Any]) -> str:
    return _caller_in(page, {**identity, "cognitoAuthenticationType": "authenticated"})


PLANTED: dict[str, Defect] = {
    "a header names the caller": (Call, "caller", property(named_by_a_header)),
    "the query names the caller": (Call, "caller", property(named_by_the_query)),
    "the caller is the role that all people share": (HostedPage, "caller_in", named_by_the_shared_role),
    "every identity pool makes people": (HostedPage, "caller_in", of_any_identity_pool),
    "every user pool makes people": (HostedPage, "_person_in", of_any_user_pool),
    "nobody needs to have signed in": (HostedPage, "caller_in", signed_in_or_not),
    "people choose the names of their sessions": (
        hosted_page,
        "_SESSION",
        re.compile(r"(arn:aws:sts::\d{12}:)assumed-role/([\w-]+)/.+"),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_failure((only_the_verified, PLANTED[name]), monkeypatch)
