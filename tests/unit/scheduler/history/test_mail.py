"""The email addresses that receive a notice."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from scheduler.core.history.mail import addresses_for
from scheduler.core.history.notices import Notice, NoticeKind
from support.builders.configurations import a_configuration

ADA = "arn:aws:sts::123456789012:assumed-role/Research/ada"
FAILED = Notice(NoticeKind.FAILED, "resnet", ADA, "failed", "It failed.", "Look at it.", id="resnet/4/failed")
STARTED = replace(FAILED, kind=NoticeKind.STARTED, id="resnet/2/started")
CHOSEN = replace(STARTED, is_chosen=True)
OF_ADA: Mapping[str, object] = {"to": ["ada@example.org"], "owners": ["ada"]}
OF_ALL: Mapping[str, object] = {"to": ["ops@example.org"]}


def mailed(notice: Notice, *rules: Mapping[str, object], team: str = "vision") -> tuple[str, ...]:
    return addresses_for(notice, team, a_configuration(notices={"mail": [*rules]}).notices.mail)


def test_without_rules_nobody_gets_a_mail() -> None:
    assert a_configuration().notices.mail == ()
    assert mailed(CHOSEN) == ()


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ({}, True),
        ({"owners": ["*:assumed-role/Research/*"]}, True),
        ({"owners": ["*:assumed-role/Vision/*"]}, False),
        ({"owners": ["bob", "role/Research"]}, True),
        ({"owners": ["bob", "Vision"]}, False),
        ({"teams": ["speech", "vision"]}, True),
        ({"teams": ["speech"]}, False),
        ({"kinds": ["failed"]}, True),
        ({"kinds": ["started"]}, False),
        ({"owners": ["ada"], "teams": ["speech"]}, False),
        ({"owners": ["ada"], "teams": ["vision"], "kinds": ["failed"]}, True),
    ],
)
def test_a_rule_mails_the_notices_that_meet_all_its_conditions(condition: dict[str, object], is_met: bool) -> None:
    assert mailed(FAILED, {"to": ["ops@example.org"], **condition}) == (("ops@example.org",) if is_met else ())


def test_each_address_gets_one_mail_whatever_the_number_of_its_rules() -> None:
    assert mailed(FAILED, OF_ADA, OF_ALL, {"to": ["ops@example.org", "ada@example.org"]}) == (
        "ada@example.org",
        "ops@example.org",
    )


def test_frequent_kinds_are_mailed_only_on_request() -> None:
    assert mailed(STARTED, OF_ADA, OF_ALL) == ()


def test_what_owners_choose_goes_to_the_rules_that_name_owners() -> None:
    assert mailed(CHOSEN, OF_ADA, {"to": ["vision@example.org"], "teams": ["vision"]}, OF_ALL) == ("ada@example.org",)


def test_the_owner_of_a_spending_limit_is_known_by_its_name_and_not_by_an_arn() -> None:
    limit = replace(FAILED, kind=NoticeKind.SPENDING_LIMIT, job="", owner="role/Research")
    assert mailed(limit, {"to": ["leads@example.org"], "owners": ["role/Research"]}) == ("leads@example.org",)
    assert mailed(limit, {"to": ["leads@example.org"], "owners": ["*:assumed-role/Research/*", "ada"]}) == ()
