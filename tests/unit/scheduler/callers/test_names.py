"""The names that people of the hosted page have."""

import pytest

from scheduler.core.callers.names import PoolUser, names_of_people


def test_a_person_has_the_verified_mail_address_as_name() -> None:
    users = [PoolUser("1", "ada@example.com", is_verified=True), PoolUser("2", "bob@example.com", is_verified=False)]
    assert names_of_people(users) == {"1": "ada@example.com"}


@pytest.mark.parametrize("is_verified", [True, False])
def test_nobody_has_an_address_that_another_user_has_or_claims(is_verified: bool) -> None:
    """The first may have left the team, or the second may only claim it."""
    users = [PoolUser("1", "ada@example.com", is_verified=True), PoolUser("2", "Ada@Example.com", is_verified)]
    assert names_of_people(users) == {}


@pytest.mark.parametrize(
    "mail", ["", "ada", "аda@example.com", "ada@example.com, bob@example.com", "a\u202e@x.org", "a@b\n"]
)
def test_an_address_that_could_be_misread_is_no_name(mail: str) -> None:
    assert names_of_people([PoolUser("1", mail, is_verified=True)]) == {}
