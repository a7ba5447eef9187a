"""People of the hosted page are recognised by what API Gateway verified, and by nothing else."""

import pytest

from scheduler.core.callers.hosted_page import UNKNOWN, HostedPage
from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.jobs.principal import PrincipalKind, arn_for_patterns, names_of, owner_key_of, principal_of
from support.builders.callers import ACCOUNT, an_entry, callers_of

USER_POOL, IDENTITY_POOL = "eu-west-1_Team", "eu-west-1:5cbd3c7e-1eb1-4c6e-b3e8-d346223fd500"
PAGE = HostedPage.parse(f"https://d111.cloudfront.net,{USER_POOL},{IDENTITY_POOL}")
ADA, BOB = "6852ca10-901f-43c4-a682-8e76d3831921", "53832e35-1fbe-4c74-9111-4a0cd29ce2cf"
SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/page-User/CognitoIdentityCredentials"


def provider(pool: str = USER_POOL, person: str = ADA) -> str:
    return (
        f"cognito-idp.eu-west-1.amazonaws.com/{pool},cognito-idp.eu-west-1.amazonaws.com/{pool}:CognitoSignIn:{person}"
    )


def identity(**changes: str | None) -> dict[str, str | None]:
    """Returns the identity in the context of a request that a person's credentials signed, with changes."""
    return {
        "userArn": SESSION,
        "cognitoIdentityPoolId": IDENTITY_POOL,
        "cognitoIdentityId": "eu-west-1:fd624b09-96a4-43e3-bd10-c25e4ee6a4da",
        "cognitoAuthenticationType": "authenticated",
        "cognitoAuthenticationProvider": provider(),
        **changes,
    }


def arn_of(person: str, role: str = "page-User") -> str:
    return f"arn:aws:sts::{ACCOUNT}:person/{role}/{person}"


def test_a_person_is_named_by_the_id_in_the_user_pool_and_the_role_of_the_group() -> None:
    assert PAGE.caller_in(identity()) == arn_of(ADA)
    assert PAGE.caller_in(identity(cognitoAuthenticationProvider=provider(person=BOB))) == arn_of(BOB)


@pytest.mark.parametrize(
    "changes",
    [
        {"cognitoAuthenticationType": "unauthenticated"},
        {"cognitoAuthenticationType": None},
        {"cognitoAuthenticationProvider": None},
        {"cognitoAuthenticationProvider": "accounts.google.com"},
        {"cognitoAuthenticationProvider": provider("eu-west-1_Evil")},
        {"cognitoAuthenticationProvider": provider("eu-west-1xTeam")},
        {"cognitoAuthenticationProvider": provider("eu-west-1_Team/x")},
        {"cognitoAuthenticationProvider": provider(person="ada")},
        {"cognitoAuthenticationProvider": provider(person=f"{ADA}\n")},
        {"cognitoAuthenticationProvider": f"{provider('eu-west-1_Evil')},{provider()}"},
        {"cognitoAuthenticationProvider": f"{provider()},{provider(person=BOB)}"},
        {"cognitoAuthenticationProvider": provider().replace("amazonaws.com", "amazonaws.com.evil.example")},
        {"userArn": SESSION.replace("CognitoIdentityCredentials", "ada")},
        {"userArn": f"arn:aws:iam::{ACCOUNT}:user/ada"},
        {"userArn": None},
    ],
)
def test_credentials_of_the_pool_without_its_person_are_unknown(changes: dict[str, str | None]) -> None:
    assert PAGE.caller_in(identity(**changes)) == UNKNOWN
    assert principal_of(UNKNOWN) is None


def test_other_sessions_are_callers_of_their_role() -> None:
    """Another identity pool of the account cannot make people of this page, whatever it reports."""
    assert PAGE.caller_in(identity(cognitoIdentityPoolId=IDENTITY_POOL.replace("5", "6"))) == SESSION
    vision = f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision/{ADA}"
    assert PAGE.caller_in({"userArn": vision}) == vision


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://a.example",
        f"http://a.example,{USER_POOL},{IDENTITY_POOL}",
        f"http://localhost:8080,{USER_POOL},{IDENTITY_POOL}",
        f"*,{USER_POOL},{IDENTITY_POOL}",
    ],
)
def test_a_setting_that_no_page_printed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not ORIGIN,USER_POOL,IDENTITY_POOL"):
        HostedPage.parse(text)


def test_a_person_stays_the_same_in_another_group() -> None:
    user, operator = arn_of(ADA), arn_of(ADA, "page-Operator")
    assert principal_of(user) == principal_of(operator)
    assert owner_key_of(user) == owner_key_of(operator)
    assert principal_of(user) != principal_of(arn_of(BOB))


@pytest.mark.parametrize(
    "arn",
    [
        f"arn:aws:sts::{ACCOUNT}:assumed-role/person/{ADA}",  # a role and a session that anybody may name so
        f"arn:aws:sts::{ACCOUNT}:assumed-role/page-User/{ADA}",
        f"arn:aws:iam::{ACCOUNT}:user/person/page-User/{ADA}",
        f"arn:aws:iam::{ACCOUNT}:user/:person/page-User/{ADA}",
    ],
)
def test_no_role_or_user_passes_for_a_person(arn: str) -> None:
    found = principal_of(arn)
    assert found is not None
    assert found.kind is not PrincipalKind.PERSON
    assert found != principal_of(arn_of(ADA))
    assert arn_for_patterns(arn) != arn_for_patterns(arn_of(ADA))


def test_patterns_name_a_person_everybody_at_the_page_or_the_role_of_a_group() -> None:
    ada, bob = principal_of(arn_of(ADA)), principal_of(arn_of(BOB, "page-Operator"))
    assert ada
    assert bob
    matches = {
        pattern: tuple(PrincipalPattern.parse(pattern).matches(one, ACCOUNT) for one in (ada, bob))
        for pattern in (f"person/{ADA}", "person/*", "role/page-Operator", "role/Vision", "user/*", "*")
    }
    assert matches == {
        f"person/{ADA}": (True, False),
        "person/*": (True, True),
        "role/page-Operator": (False, True),
        "role/Vision": (False, False),
        "user/*": (False, False),
        "*": (True, True),
    }


@pytest.mark.parametrize("pattern", ["person/", "person/ada", f"person/{ADA.upper()}", f"person/page-User/{ADA}"])
def test_a_pattern_names_a_person_by_the_id_only(pattern: str) -> None:
    with pytest.raises(ValueError, match="person/ID"):
        PrincipalPattern.parse(pattern)


def test_people_of_one_role_control_their_own_jobs_only() -> None:
    callers = callers_of(an_entry("role/page-User", verbs=["submit", "control_own"]), operators=["role/page-Operator"])
    ada, other_group = callers.principal_of(arn_of(ADA)), callers.principal_of(arn_of(ADA, "page-Operator"))
    assert callers.may_control(ada, arn_of(ADA))
    assert not callers.may_control(ada, arn_of(BOB))
    assert callers.may_control(other_group, arn_of(BOB))


def test_a_team_or_a_filter_names_a_person() -> None:
    assert arn_for_patterns(arn_of(ADA)) == f"arn:aws:sts::{ACCOUNT}:person/{ADA}"
    assert names_of(arn_of(ADA)) == {arn_of(ADA), ADA, f"person/{ADA}"}
