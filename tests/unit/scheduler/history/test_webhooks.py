"""The webhooks that receive a notice, and what they receive."""

import hmac
import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import unquote

import pytest

from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.history.webhooks.message import body_of, headers_of
from scheduler.core.history.webhooks.webhook import WebhookFormat, WebhookUrl, webhooks_for
from support.builders.configurations import a_configuration

ADA = "arn:aws:sts::123456789012:assumed-role/Research/ada"
FAILED = Notice(NoticeKind.FAILED, "resnet", ADA, "failed", "It failed.", "Look at it.", id="resnet/4/failed")
HOOK, OTHER = "https://hooks.example.org/queue", "https://hooks.example.org/other"
CONTENT = {
    "id": "resnet/4/failed",
    "kind": "rule_violated",
    "job": "resnet",
    "owner": ADA,
    "team": "vision",
    "state": "failed",
    "reason": "A <!channel> & more.",
    "remedy": "Look at it.",
}


def urls(notice: Notice, *entries: Mapping[str, object], team: str = "vision") -> list[str]:
    webhooks = a_configuration(notices={"webhooks": [*entries]}).notices.webhooks
    return [webhook.url for webhook in webhooks_for(notice, team, webhooks)]


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ({}, True),
        ({"owners": ["ada"]}, True),
        ({"owners": ["bob"]}, False),
        ({"teams": ["vision"]}, True),
        ({"teams": ["speech"]}, False),
        ({"kinds": ["started"]}, False),
        ({"kinds": ["failed"], "teams": ["vision"], "owners": ["role/Research"]}, True),
    ],
)
def test_a_webhook_receives_the_notices_that_meet_all_its_conditions(
    condition: dict[str, object], is_met: bool
) -> None:
    assert urls(FAILED, {"url": HOOK, **condition}) == ([HOOK] if is_met else [])


def test_each_url_gets_a_notice_once() -> None:
    assert urls(FAILED, {"url": HOOK}, {"url": OTHER}, {"url": HOOK, "format": "slack"}) == [HOOK, OTHER]


def test_what_owners_choose_goes_to_the_webhooks_that_name_owners() -> None:
    chosen = replace(FAILED, kind=NoticeKind.STARTED, is_chosen=True)
    assert urls(chosen, {"url": HOOK}, {"url": OTHER, "owners": ["ada"]}) == [OTHER]


@pytest.mark.parametrize(
    ("text", "host", "target"),
    [
        ("https://hooks.slack.com/services/T0/B0/x-Y_z", "hooks.slack.com", "/services/T0/B0/x-Y_z"),
        (
            "https://prod-1.westus.logic.azure.com:443/workflows/ab/triggers?sp=%2Frun&sig=x",
            "prod-1.westus.logic.azure.com",
            "/workflows/ab/triggers?sp=%2Frun&sig=x",
        ),
        ("https://example.org/", "example.org", "/"),
    ],
)
def test_an_address_is_split(text: str, host: str, target: str) -> None:
    assert WebhookUrl.parse(text) == WebhookUrl(host, target)


@pytest.mark.parametrize(
    "text",
    [
        "http://example.org/",
        "https://example.org",
        "https://example.org:8443/",
        "https://user@example.org/",
        "https://example.org@127.0.0.1/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://[::1]/",
        "https://localhost/",
        "https://Example.org/",
        "https://example.org./",
        "https://example..org/",
        "https://example.org/#part",
        "https://example.org/a b",
        "https://example.org/\\evil",
        "https://example.org/\r\nHost: x",
        "https://exämple.org/",
        "//example.org/",
        "https://example.org/" + "x" * 1000,
        "",
    ],
)
def test_other_addresses_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an address such as https://"):
        WebhookUrl.parse(text)


def test_programs_get_the_notice_as_queues_do() -> None:
    assert json.loads(body_of(CONTENT, WebhookFormat.JSON)) == CONTENT


def test_slack_gets_a_text_without_mentions() -> None:
    (text,) = json.loads(body_of(CONTENT, WebhookFormat.SLACK)).values()
    assert text.splitlines() == [
        "*resnet: rule violated*",
        "A &lt;!channel&gt; &amp; more.",
        "What to do: Look at it.",
        "Notice resnet/4/failed",
    ]


def test_teams_gets_a_card() -> None:
    message = json.loads(body_of({**CONTENT, "job": ""}, WebhookFormat.TEAMS))
    (attachment,) = message["attachments"]
    assert (message["type"], attachment["contentType"]) == ("message", "application/vnd.microsoft.card.adaptive")
    texts = [block["text"] for block in attachment["content"]["body"]]
    assert texts == ["rule violated", CONTENT["reason"], "What to do: Look at it.", "Notice resnet/4/failed"]


def test_the_signature_covers_the_time_and_the_body() -> None:
    body = body_of(CONTENT, WebhookFormat.JSON)
    headers = headers_of(CONTENT, body, b"secret", 1_795_521_600)
    signed = hmac.digest(b"secret", b"1795521600." + body, "sha256").hex()
    assert headers == {
        "Content-Type": "application/json",
        "SageQueue-Notice": "resnet/4/failed",
        "SageQueue-Timestamp": "1795521600",
        "SageQueue-Signature": f"v1={signed}",
    }


@pytest.mark.parametrize(
    ("notice", "header"),
    [
        ("2026-11/daily#300 dollars#near#tag#project=月", "2026-11/daily#300 dollars#near#tag#project=%E6%9C%88"),
        (f"2026-11-22/{ADA},x+y@example.org/digest", f"2026-11-22/{ADA},x+y@example.org/digest"),
        ("100%", "100%25"),
    ],
)
def test_the_header_percent_encodes_the_id_only_where_http_needs_it(notice: str, header: str) -> None:
    assert headers_of({**CONTENT, "id": notice}, b"", b"secret", 0)["SageQueue-Notice"] == header
    assert unquote(header) == notice
