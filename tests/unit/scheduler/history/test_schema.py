"""The section about notices is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.history import schema as notices
from scheduler.core.history.mail import MailRule
from scheduler.core.history.notices import NoticeKind
from scheduler.core.history.subscriber import Conditions
from scheduler.core.history.webhooks.webhook import WebhookFormat
from scheduler.core.sections.schema import ConfigKind
from support.builders.configurations import a_configuration
from support.builders.invalid_sections import change_of, problem_of


def test_a_good_section_is_read() -> None:
    owners = change_of(ConfigKind.NOTICES, "owners: [idle, preempted]").after.notices.owners
    assert owners == (NoticeKind.IDLE, NoticeKind.PREEMPTED)
    assert change_of(ConfigKind.NOTICES, "owners: []").after.notices.owners == ()


def test_without_a_choice_owners_get_notices_on_which_somebody_has_to_act() -> None:
    owners = {*change_of(ConfigKind.NOTICES, "{}").after.notices.owners}
    on_request = {"started", "completed", "interrupted", "preempted", "resumed", "digest"}
    assert owners == {*NoticeKind} - {NoticeKind(kind) for kind in on_request}


@pytest.mark.parametrize(
    ("bad", "field", "reason"),
    [
        ("[idle, retryed]", "owners[1]", "must be one of started, completed, "),
        ("idle", "owners", "must be a list"),
        ("[7]", "owners[0]", "must be one of started, completed, "),
        ("[idle]\nowner: [idle]", "owner", "is not a known member; did you mean owners?"),
    ],
)
def test_a_problem_is_reported_with_its_reason(bad: str, field: str, reason: str) -> None:
    problem = problem_of(ConfigKind.NOTICES, "owners: LIST", "LIST", bad, f"notices.{field}")
    assert reason in problem.message


def test_mail_rules_are_read() -> None:
    text = "mail: [{to: [ada@example.org], owners: [ada, role/Vision], kinds: [started]}]"
    (rule,) = change_of(ConfigKind.NOTICES, text).after.notices.mail
    conditions = Conditions(owners=("ada", "role/Vision"), teams=(), kinds=(NoticeKind.STARTED,))
    assert rule == MailRule(("ada@example.org",), conditions)


@pytest.mark.parametrize(
    ("bad", "field", "reason"),
    [
        ("{to: []}", "mail[0].to", "is empty"),
        ("{to: [ada]}", "mail[0].to", "'ada', which is not an email address"),
        ("{to: [Ada@example.org]}", "mail[0].to", "in lower case"),
        ("{to: ['a@b.org, c@d.org']}", "mail[0].to", "which is not an email address"),
        ("{owners: ['*']}", "mail[0].to", "is missing"),
        ("{to: [a@b.org], teams: [moon]}", "mail[0].teams", "'moon' is not a team"),
        ("{to: [a@b.org], kinds: [ended]}", "mail[0].kinds[0]", "must be one of started, "),
    ],
)
def test_a_problem_of_a_mail_rule_is_reported_with_its_reason(bad: str, field: str, reason: str) -> None:
    problem = problem_of(ConfigKind.NOTICES, "mail: [RULE]", "RULE", bad, f"notices.{field}")
    assert reason in problem.message


def test_there_are_not_more_addresses_than_sns_has_filters() -> None:
    addresses = ", ".join(f"a{number}@example.org" for number in range(101))
    problem = problem_of(ConfigKind.NOTICES, "mail: RULES", "RULES", f"[{{to: [{addresses}]}}]", "notices.mail")
    assert "has 101 addresses, but may have 100" in problem.message


HOOK = "https://hooks.example.org/queue"


def test_webhooks_are_read() -> None:
    configuration = a_configuration(notices={"webhooks": [{"url": HOOK, "format": "slack", "teams": ["vision"]}]})
    (webhook,) = configuration.notices.webhooks
    assert (webhook.url, webhook.format, webhook.conditions.teams) == (HOOK, WebhookFormat.SLACK, ("vision",))


@pytest.mark.parametrize(
    ("bad", "field", "reason"),
    [
        ("{url: 'http://hooks.example.org/queue'}", "webhooks[0].url", "is not an address such as https://"),
        ("{url: 'https://10.0.0.1/queue'}", "webhooks[0].url", "is not an address such as https://"),
        (
            f"{{url: '{HOOK}'}}",
            "webhooks[0].url",
            "'hooks.example.org' is not among the stack's parameter WebhookHosts",
        ),
        (f"{{url: '{HOOK}', format: xml}}", "webhooks[0].format", "must be one of json, slack, teams"),
        ("{kinds: [failed]}", "webhooks[0].url", "is missing"),
    ],
)
def test_a_problem_of_a_webhook_is_reported_with_its_reason(bad: str, field: str, reason: str) -> None:
    problem = problem_of(ConfigKind.NOTICES, "webhooks: [ENTRY]", "ENTRY", bad, f"notices.{field}")
    assert reason in problem.message


def test_an_unknown_team_of_a_webhook_is_reported() -> None:
    settings = a_configuration(notices={"webhooks": [{"url": HOOK, "teams": ["moon"]}]}).notices
    ((path, problem),) = notices.problems(settings, ["vision"], {"hooks.example.org"})
    assert (path, problem) == ("webhooks[0].teams", "'moon' is not a team of the section shares")


def test_webhooks_lead_to_hosts_that_the_stack_allows_and_are_few() -> None:
    settings = a_configuration(notices={"webhooks": [{"url": HOOK}] * 21}).notices
    assert list(notices.problems(settings, [], {"hooks.example.org"})) == [
        ("webhooks", "has 21 entries, but may have 20")
    ]
