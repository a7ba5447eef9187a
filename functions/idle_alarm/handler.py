"""Looks again at an attempt when CloudWatch says that its GPUs are idle: the alarm is only a reason to look."""

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
    """Its name; None for a message that tells of no alarm, or of one that went back to normal."""
    try:
        alarm = json.loads(message)
    except ValueError:
        return None
    if not isinstance(alarm, dict) or alarm.get("NewStateValue") != "ALARM":
        return None
    name = alarm.get("AlarmName")
    return name if isinstance(name, str) else None
