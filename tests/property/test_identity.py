"""A call acts only as the person that API Gateway verified, whatever its headers, query and body claim."""

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from api.call import Call
from scheduler.core.callers.hosted_page import UNKNOWN
from scheduler.wiring import shared
from support.builders.callers import ACCOUNT

REGION = "eu-west-1"
POOLS = (f"{REGION}_Team", f"{REGION}_Evil")
IDENTITY_POOLS = (f"{REGION}:5cbd3c7e-1eb1-4c6e-b3e8-d346223fd500", f"{REGION}:6cbd3c7e-1eb1-4c6e-b3e8-d346223fd500")
PEOPLE = ("6852ca10-901f-43c4-a682-8e76d3831921", "53832e35-1fbe-4c74-9111-4a0cd29ce2cf")
ROLES = ("page-User", "page-Operator")
#: Where a careless reader might look for a person, a group or a role.
NAMES = ("owner", "user", "person", "by", "groups", "cognito:groups", "X-User", "X-Amzn-Oidc-Identity", "Authorization")
CLAIMS = st.dictionaries(
    st.sampled_from(NAMES),
    st.sampled_from([*PEOPLE, *(f"arn:aws:sts::{ACCOUNT}:person/{ROLES[1]}/{one}" for one in PEOPLE), "operators"]),
)
#: Pool of the provider, pool of its sign-in, identity pool, kind of sign-in, session, person, role.
SIGN_INS = st.tuples(
    st.sampled_from(POOLS),
    st.sampled_from(POOLS),
    st.sampled_from(IDENTITY_POOLS),
    st.sampled_from(["authenticated", "unauthenticated"]),
    st.sampled_from(["CognitoIdentityCredentials", PEOPLE[1]]),
    st.sampled_from(PEOPLE),
    st.sampled_from(ROLES),
)
SignIn = tuple[str, str, str, str, str, str, str]


def _caller(sign_in: SignIn, headers: dict[str, str], query: dict[str, str], body: dict[str, str]) -> str:
    issuer, pool, identities, kind, session, person, role = sign_in
    provider = f"cognito-idp.{REGION}.amazonaws.com"
    identity = {
        "userArn": f"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/{session}",
        "cognitoIdentityPoolId": identities,
        "cognitoAuthenticationType": kind,
        "cognitoAuthenticationProvider": f"{provider}/{issuer},{provider}/{pool}:CognitoSignIn:{person}",
    }
    event: dict[str, Any] = {
        "httpMethod": "POST",
        "resource": "/jobs",
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": query or None,
        "requestContext": {"identity": identity, **body},
        "body": str(body),
    }
    os.environ["HOSTED_PAGE"] = f"https://d1.example,{POOLS[0]},{IDENTITY_POOLS[0]}"
    shared.hosted_page.cache_clear()
    try:
        return Call(event, None).caller  # type: ignore[arg-type]  # the caller needs no context
    finally:
        del os.environ["HOSTED_PAGE"]
        shared.hosted_page.cache_clear()


@settings(deadline=None)
@given(SIGN_INS, CLAIMS, CLAIMS, CLAIMS)
def test_a_caller_is_the_verified_person_whatever_the_call_claims(
    sign_in: SignIn, headers: dict[str, str], query: dict[str, str], body: dict[str, str]
) -> None:
    issuer, pool, identities, kind, session, person, role = sign_in
    found = _caller(sign_in, headers, query, body)
    if identities != IDENTITY_POOLS[0]:
        assert found == f"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/{session}"  # no person, but a session of the role
    elif (issuer, pool, kind, session) == (POOLS[0], POOLS[0], "authenticated", "CognitoIdentityCredentials"):
        assert found == f"arn:aws:sts::{ACCOUNT}:person/{role}/{person}"
    else:
        assert found == UNKNOWN
