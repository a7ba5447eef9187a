"""Sends notices and outcomes to webhooks.

SQS redelivers messages that endpoints refuse, and finally makes them dead letters.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from scheduler.adapters.aws.notices.sns_notices import WEBHOOK, WEBHOOK_FORMAT
from scheduler.adapters.https.parallel import failed_of
from scheduler.adapters.https.webhook_sender import Delivery
from scheduler.core.history.webhooks.webhook import WebhookFormat
from scheduler.wiring import shared, webhooks

#: The time for all endpoints in a batch together, far below the function's timeout.
_SECONDS = 15.0


def handle(event: dict[str, Any], context: object) -> dict[str, Any]:  # noqa: ARG001 - Lambda passes it
    logger, records = shared.logger(), event["Records"]
    webhooks.signing_secret().value()  # in this thread: if it cannot be read, the whole batch is repeated
    calls = {record["messageId"]: partial(_send, record) for record in records}
    failed = failed_of(calls, _SECONDS)
    logger.info("webhooks", extra={"notices": len(records), "failed": len(failed)})
    return {"batchItemFailures": [{"itemIdentifier": message} for message in failed]}


def _send(record: Mapping[str, Any]) -> None:
    attributes = record["messageAttributes"]
    url, name = (attributes[attribute]["stringValue"] for attribute in (WEBHOOK, WEBHOOK_FORMAT))
    webhooks.sender().send(Delivery(url, WebhookFormat(name), json.loads(record["body"])))
