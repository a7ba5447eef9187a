"""Checks an attempt when a CloudWatch alarm reports idle GPUs. The alarm only starts the check; the check decides."""

import json
from typing import Any

from scheduler.wiring import cycle, shared


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    logger = shared.logger()
    for record in event["Records"]:
        name = _firing_alarm(record["Sns"]["Message"])
        if name is None:
            logger.warning("dropped a message", extra={"message_id": record["Sns"].get("MessageId")})
        else:
            cycle.idle_gpus().check(name)


def _firing_alarm(message: str) -> str | None:
    """Returns the name of the firing alarm, or None for any other message."""
    try:
        alarm = json.loads(message)
    except ValueError:
        return None
    if not isinstance(alarm, dict) or alarm.get("NewStateValue") != "ALARM":
        return None
    name = alarm.get("AlarmName")
    return name if isinstance(name, str) else None
