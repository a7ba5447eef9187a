"""Principals are read from ARNs, and patterns match no other principal."""

import pytest

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.jobs.principal import arn_for_patterns, matches_no_caller, owner_key_of, principal_of
from scheduler.core.jobs.team import Team
from support.builders.callers import ACCOUNT

VISION = f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision/ada"
FOREIGN = "210987654321"


@pytest.mark.parametrize(
    ("arn", "name"),
    [
        (VISION, "role/Vision"),
        (f"arn:aws-us-gov:sts::{ACCOUNT}:assumed-role/Vision/ada@example.com", "role/Vision"),
        (f"arn:aws:iam::{ACCOUNT}:user/ada", "user/ada"),
        (f"arn:aws-cn:iam::{ACCOUNT}:user/team/vision/ada", "user/ada"),
        (f"arn:aws:iam::{ACCOUNT}:root", "root"),
    ],
)
def test_a_caller_is_a_role_a_user_or_root(arn: str, name: str) -> None:
    assert str(principal_of(arn)) == name


@pytest.mark.parametrize(
    "arn",
    [
        "unknown",
        "",
        f"arn:aws:sts::{ACCOUNT}:federated-user/ada",  # who asks for the token chooses the name
        f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision",
        f"arn:aws:sts::{ACCOUNT}:assumed-role/team/Vision/ada",
        f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision/ada\n",
        f"arn:aws:sts::{ACCOUNT}:assumed-role/Visi\u043en/ada",  # a Cyrillic letter
        f"arn:aws:iam::{ACCOUNT}:role/Vision",
        f"arn:aws:iam::{ACCOUNT}:user/ada bob",
        f"arn:aws:iam::{ACCOUNT}:root/ada",
        "arn:aws:iam::12345678901\u0662:root",  # an Arabic digit
        f"x{VISION}",
    ],
)
def test_any_other_caller_is_unknown(arn: str) -> None:
    assert principal_of(arn) is None


def test_a_role_is_the_same_in_every_session() -> None:
    assert principal_of(VISION) == principal_of(VISION.replace("/ada", "/bob"))


def test_a_user_stays_the_same_when_moved_to_another_path() -> None:
    assert principal_of(f"arn:aws:iam::{ACCOUNT}:user/a/ada") == principal_of(f"arn:aws:iam::{ACCOUNT}:user/b/ada")


def is_meant(pattern: str, arn: str) -> bool:
    principal = principal_of(arn)
    assert principal is not None
    return PrincipalPattern.parse(pattern).matches(principal, ACCOUNT)


@pytest.mark.parametrize(
    ("pattern", "arn"),
    [
        ("role/Vision", VISION),
        ("role/Vis*", VISION),
        ("*", VISION),
        (f"arn:aws:iam::{ACCOUNT}:role/Vision", VISION),
        (f"arn:aws:iam::{ACCOUNT}:role/teams/ml/Vision", VISION),  # no other role of the account has this name
        ("user/ada", f"arn:aws:iam::{ACCOUNT}:user/ada"),
        ("user/ada", f"arn:aws:iam::{ACCOUNT}:user/vision/ada"),
        ("user/vision/*", f"arn:aws:iam::{ACCOUNT}:user/vision/ada"),
        ("root", f"arn:aws:iam::{ACCOUNT}:root"),
        (f"arn:aws:iam::{FOREIGN}:role/Vision", VISION.replace(ACCOUNT, FOREIGN)),
    ],
)
def test_a_pattern_matches_the_principal_that_it_names(pattern: str, arn: str) -> None:
    assert is_meant(pattern, arn)


@pytest.mark.parametrize(
    ("pattern", "arn"),
    [
        ("role/Vision", VISION.replace("Vision", "vision")),
        ("role/Vision", VISION.replace("Vision", "Vision2")),
        ("role/Vision", VISION.replace("Vision", "MyVision")),
        ("role/Vision", f"arn:aws:sts::{ACCOUNT}:assumed-role/Evil/Vision"),  # a session with another's name
        ("role/ada", VISION),
        ("role/Vision", VISION.replace(ACCOUNT, FOREIGN)),
        ("*", VISION.replace(ACCOUNT, FOREIGN)),
        ("root", f"arn:aws:iam::{FOREIGN}:root"),
        ("role/Vision", f"arn:aws:iam::{ACCOUNT}:user/Vision"),
        ("role/Vision", f"arn:aws:iam::{ACCOUNT}:user/role/Vision"),  # a path that reads like a kind
        ("role/Vision", f"arn:aws:iam::{ACCOUNT}:user/:assumed-role/Vision/x"),
        ("role/x", f"arn:aws:iam::{ACCOUNT}:user/:assumed-role/Vision/x"),
        ("user/vision/*", f"arn:aws:iam::{ACCOUNT}:user/ada"),
        ("user/vision/*", f"arn:aws:iam::{ACCOUNT}:user/television/ada"),
        ("user/vision/*", f"arn:aws:iam::{ACCOUNT}:user/vision/sub/ada"),
        ("user/vision/ada", f"arn:aws:iam::{ACCOUNT}:user/nlp/ada"),
        ("user/root", f"arn:aws:iam::{ACCOUNT}:root"),
        ("role/V.sion", VISION),
    ],
)
def test_a_pattern_does_not_match_a_principal_that_resembles_it(pattern: str, arn: str) -> None:
    assert not is_meant(pattern, arn)


@pytest.mark.parametrize(
    ("pattern", "why_not"),
    [
        ("", "must be role/NAME"),
        ("Vision", "must be role/NAME"),
        ("Role/Vision", "must be role/NAME"),
        ("role/", "must be role/NAME"),
        ("role/Vision\n", "must be role/NAME"),
        ("role/Vi?ion", "must be role/NAME"),
        ("role/[V]ision", "must be role/NAME"),
        ("user/[a]/b", "must be role/NAME"),
        (f"arn:aws:iam::{ACCOUNT}:root", "must be role/NAME"),  # elsewhere in AWS this means a whole account
        ("arn:aws:iam::*:role/Vision", "must be role/NAME"),
        ("role/teams/*", "has a path and a *"),
        ("role/*/Vision", "has a path and a *"),
        (VISION, "names a session"),
        ("assumed-role/Vision/*", "names a session"),
    ],
)
def test_a_pattern_that_cannot_match_callers_is_refused(pattern: str, why_not: str) -> None:
    with pytest.raises(ValueError, match=why_not.replace("*", r"\*")):
        PrincipalPattern.parse(pattern)


def test_all_sessions_of_a_role_have_the_same_owner_key() -> None:
    assert (
        owner_key_of(VISION)
        == owner_key_of(VISION.replace("/ada", "/bob"))
        == f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision"
    )
    assert owner_key_of(VISION) != owner_key_of(VISION.replace("Vision", "Speech"))
    assert owner_key_of(f"arn:aws:iam::{ACCOUNT}:user/team/ada") == f"arn:aws:iam::{ACCOUNT}:user/team/ada"


@pytest.mark.parametrize(
    "arn",
    [
        VISION.replace("Vision/ada", "Other/Vision"),
        f"arn:aws:iam::{ACCOUNT}:user/:assumed-role/Vision/ada",  # a path may hold almost anything
        f"arn:aws:iam::{ACCOUNT}:user/Vision",
    ],
)
def test_a_team_has_no_member_by_a_chosen_session_name(arn: str) -> None:
    vision = Team("vision", ("*:assumed-role/Vision/*",))
    assert vision.has(VISION)
    assert not vision.has(arn)


def test_a_pattern_cannot_distinguish_sessions() -> None:
    assert arn_for_patterns(VISION) == arn_for_patterns(VISION.replace("/ada", "/bob"))
    assert not Team("ada", ("*/ada", "*ada*")).has(VISION)


@pytest.mark.parametrize(
    "pattern", ["role/Vision", "ada", "root", f"arn:aws:iam::{ACCOUNT}:role/Vision", "*:role/Vision/*"]
)
def test_a_name_or_the_arn_of_a_role_matches_no_caller(pattern: str) -> None:
    assert matches_no_caller(pattern)


@pytest.mark.parametrize("pattern", ["*", "*/ada", "*role/Vision/*", "*:user/role/ada", f"arn:aws:iam::{ACCOUNT}:root"])
def test_other_patterns_may_match_a_caller(pattern: str) -> None:
    assert not matches_no_caller(pattern)
