"""Calls of people that signed in at the hosted page: each owns what they do, although all share one session's name."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import Context, api_event
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.builders.callers import ACCOUNT

ORIGIN, USER_POOL = "https://d111.cloudfront.net", "eu-west-1_Team"
IDENTITY_POOL = "eu-west-1:5cbd3c7e-1eb1-4c6e-b3e8-d346223fd500"
ADA, BOB = "6852ca10-901f-43c4-a682-8e76d3831921", "53832e35-1fbe-4c74-9111-4a0cd29ce2cf"
PROVIDER = f"cognito-idp.eu-west-1.amazonaws.com/{USER_POOL}"

Call = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def call(table: str, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls the API as a person, by the fields that API Gateway fills in."""
    from api.handler import handle

    monkeypatch.setenv("HOSTED_PAGE", f"{ORIGIN},{USER_POOL},{IDENTITY_POOL}")
    shared.hosted_page.cache_clear()

    def call(
        method: str, path: str, body: object = None, *, person: str = ADA, provider: str = PROVIDER, role: str = "User"
    ) -> tuple[int, dict[str, Any]]:
        session = f"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/CognitoIdentityCredentials"
        event = api_event(method, path, json.dumps(body) if body else None, {}, session)
        event["requestContext"]["identity"] |= {
            "cognitoIdentityPoolId": IDENTITY_POOL,
            "cognitoAuthenticationType": "authenticated",
            "cognitoAuthenticationProvider": f"{provider},{provider}:CognitoSignIn:{person}",
        }
        answer = handle(event, Context())  # type: ignore[arg-type] # what handlers use of it
        assert answer["multiValueHeaders"]["Access-Control-Allow-Origin"] == [ORIGIN]
        return int(answer["statusCode"]), json.loads(answer["body"])

    return call


def test_each_person_owns_the_jobs_that_they_submit(call: Call) -> None:
    for name, person in (("hers", ADA), ("his", BOB)):
        assert call("POST", "/jobs", {"request": request(name)}, person=person)[0] == 201
    owners = {job["name"]: job["owner"] for job in call("GET", "/jobs")[1]["jobs"]}
    assert owners == {name: f"arn:aws:sts::{ACCOUNT}:person/User/{one}" for name, one in (("hers", ADA), ("his", BOB))}


def test_a_person_may_not_act_on_the_job_of_another_who_has_the_same_role(call: Call) -> None:
    call("POST", "/jobs", {"request": request("hers")})
    status, told = call("POST", "/jobs/hers/cancel", person=BOB)
    assert (status, told["error"]) == (403, "not_permitted")
    assert told["message"].startswith(f"person/{BOB} lacks the permission")
    assert call("POST", "/jobs/hers/cancel", role="Another")[0] == 202  # she in another group


def test_the_role_of_the_operators_group_makes_operators(call: Call) -> None:
    """The parameter Operators names role/Scientist."""
    call("POST", "/jobs", {"request": request("hers")})
    assert call("POST", "/jobs/hers/hold", person=BOB, role="Scientist")[0] == 202
    held = call("GET", "/jobs/hers")[1]["actions"][-1]
    assert held["by"] == f"arn:aws:sts::{ACCOUNT}:person/Scientist/{BOB}"


def test_whoami_names_the_person(call: Call) -> None:
    status, told = call("GET", "/whoami")
    assert (status, told["principal"]) == (200, f"person/{ADA}")


def test_a_person_of_another_user_pool_may_do_nothing(call: Call) -> None:
    foreign = PROVIDER.replace("Team", "Evil")
    assert call("GET", "/whoami", provider=foreign)[1]["verbs"] == []
    assert call("POST", "/jobs", {"request": request("theirs")}, provider=foreign)[0] == 403


def test_without_a_hosted_page_nobody_has_a_name(table: str) -> None:
    from api.handler import handle

    event = api_event("GET", "/people", None, {}, f"arn:aws:iam::{ACCOUNT}:user/ada")
    answer = handle(event, Context())  # type: ignore[arg-type] # what handlers use of it
    assert json.loads(answer["body"]) == {"people": {}}
