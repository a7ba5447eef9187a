"""Words the request to a webhook, and signs it."""

import hmac
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from string import punctuation
from typing import Any
from urllib.parse import quote

from scheduler.core.history.webhooks.webhook import WebhookFormat

ID_HEADER = "SageQueue-Notice"
TIMESTAMP_HEADER = "SageQueue-Timestamp"
SIGNATURE_HEADER = "SageQueue-Signature"
_SAFE_IN_HEADERS = f" {punctuation}".replace("%", "")

#: The members of a notice, as queues and functions receive them, or of the outcome of a job.
Content = Mapping[str, Any]


def body_of(content: Content, form: WebhookFormat) -> bytes:
    return json.dumps(_BODIES[form](content)).encode()


def headers_of(content: Content, body: bytes, secret: bytes, timestamp: int) -> dict[str, str]:
    """Returns the headers, with a signature over the time and the body.

    The id is percent-encoded, because HTTP headers cannot hold the letters of all tags and names.
    """
    signed = hmac.new(secret, f"{timestamp}.".encode() + body, sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        ID_HEADER: quote(content["id"], safe=_SAFE_IN_HEADERS),
        TIMESTAMP_HEADER: str(timestamp),
        SIGNATURE_HEADER: f"v1={signed}",
    }


def _slack(content: Content) -> object:
    lines = [f"*{_title(content)}*", content["reason"], f"What to do: {content['remedy']}", f"Notice {content['id']}"]
    return {"text": "\n".join(map(_without_markup, lines))}


def _without_markup(text: str) -> str:
    """Escapes the characters that Slack uses to mark links and mentions."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _teams(content: Content) -> object:
    texts = [*content["reason"].splitlines(), f"What to do: {content['remedy']}", f"Notice {content['id']}"]
    title = {"type": "TextBlock", "text": _title(content), "weight": "Bolder", "wrap": True}
    blocks = [title, *({"type": "TextBlock", "text": text, "wrap": True} for text in texts)]
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": blocks,
    }
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "content": card}
    return {"type": "message", "attachments": [attachment]}


def _title(content: Content) -> str:
    kind = content["kind"].replace("_", " ")
    return f"{content['job']}: {kind}" if content["job"] else kind


_BODIES: Mapping[WebhookFormat, Callable[[Content], object]] = {
    WebhookFormat.JSON: dict,
    WebhookFormat.SLACK: _slack,
    WebhookFormat.TEAMS: _teams,
}
