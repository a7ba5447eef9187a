"""Selects the webhooks that receive a notice."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scheduler.core.history.notices import Notice
from scheduler.core.history.subscriber import Conditions

#: A host that ends with letters cannot be an IP address. Microsoft Teams addresses name port 443.
_URL = re.compile(r"https://(?P<host>[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,63})(:443)?(?P<target>/[!\"$-\[\]-~]*)")
LONGEST_URL = 1_000


class WebhookFormat(StrEnum):
    JSON = "json"
    SLACK = "slack"
    TEAMS = "teams"


@dataclass(frozen=True, slots=True)
class WebhookUrl:
    host: str
    target: str  # path and query

    @classmethod
    def parse(cls, text: str) -> "WebhookUrl":
        """Parses the URL of a webhook. Raises ValueError."""
        found = _URL.fullmatch(text)
        if found is None or len(text) > LONGEST_URL:
            raise ValueError(
                f"is not an address such as https://hooks.example.org/queue, with a host in lower case, no other "
                f"port, no fragment, and at most {LONGEST_URL} characters"
            )
        return cls(found["host"], found["target"])


@dataclass(frozen=True, slots=True)
class Webhook:
    url: str
    format: WebhookFormat
    conditions: Conditions


def webhooks_for(notice: Notice, team: str, webhooks: Iterable[Webhook]) -> tuple[Webhook, ...]:
    """Returns the first selected entry for each URL, so that no endpoint gets the same notice twice."""
    selected: dict[str, Webhook] = {}
    for webhook in webhooks:
        if webhook.conditions.select(notice, team):
            selected.setdefault(webhook.url, webhook)
    return tuple(selected.values())
