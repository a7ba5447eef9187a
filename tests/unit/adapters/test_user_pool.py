"""The users of the hosted page's user pool, from answers as Cognito documents them."""

from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from scheduler.adapters.aws.user_pool import UserPool
from scheduler.core.callers.names import PoolUser
from support.memory.clock import FixedClock

ASKED = {"UserPoolId": "eu-west-1_Team"}


@pytest.fixture
def cognito() -> Any:
    return boto3.Session("a", "s", region_name="eu-west-1").client("cognito-idp")


def a_page(*mails: str, token: str = "") -> dict[str, Any]:
    def user(mail: str) -> dict[str, Any]:
        given = {"sub": f"id-of-{mail}", "email": mail, "email_verified": "true"}
        return {"Username": mail, "Attributes": [{"Name": name, "Value": value} for name, value in given.items()]}

    return {"Users": [user(mail) for mail in mails], **({"PaginationToken": token} if token else {})}


def test_all_pages_are_read_and_kept_for_a_minute(cognito: Any) -> None:
    clock = FixedClock()
    with Stubber(cognito) as answers:
        answers.add_response("list_users", a_page("ada", token="more"), ASKED)
        answers.add_response("list_users", a_page("bob"), {**ASKED, "PaginationToken": "more"})
        pool = UserPool(cognito, "eu-west-1_Team", clock)
        both = [PoolUser(f"id-of-{name}", name, is_verified=True) for name in ("ada", "bob")]
        assert pool.all() == both
        assert pool.all() == both
        answers.assert_no_pending_responses()
        clock.moment += timedelta(minutes=2)
        answers.add_response("list_users", a_page("bob"), ASKED)
        assert pool.all() == both[1:]


def test_a_user_without_a_verified_address_is_known_as_such(cognito: Any) -> None:
    users = [{"Username": "x", "Attributes": [{"Name": "sub", "Value": "id"}]}, {"Username": "y"}]
    with Stubber(cognito) as answers:
        answers.add_response("list_users", {"Users": users}, ASKED)
        found = UserPool(cognito, "eu-west-1_Team", FixedClock()).all()
    assert found == [PoolUser("id", "", is_verified=False), PoolUser("", "", is_verified=False)]


def test_an_error_and_a_pool_that_is_too_large_cost_the_names_only(cognito: Any) -> None:
    with Stubber(cognito) as answers:
        answers.add_client_error("list_users", "TooManyRequestsException")
        assert UserPool(cognito, "eu-west-1_Team", FixedClock()).all() == ()
        for page in range(11):
            token = {"PaginationToken": str(page)} if page else {}
            answers.add_response("list_users", a_page("ada", token=str(page + 1)), {**ASKED, **token})
        assert UserPool(cognito, "eu-west-1_Team", FixedClock()).all() == ()
