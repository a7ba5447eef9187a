"""Checks the stack's settings during a deployment, and fails the deployment if its functions could not use them.

It checks what CloudFormation cannot: `Teams`, and values that depend on others. Other functions are updated after it.
"""

import json
import os
from typing import Any

import urllib3

from scheduler.errors.internal import BadSetting
from scheduler.settings import Settings
from scheduler.wiring import shared


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    shared.logger().info("check settings", extra={"request_type": event["RequestType"]})
    problem = None if event["RequestType"] == "Delete" else _problem()
    answer = {
        "Status": "FAILED" if problem else "SUCCESS",
        "Reason": problem or "",
        "PhysicalResourceId": event.get("PhysicalResourceId", "settings"),
        **{name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")},
    }
    urllib3.request("PUT", event["ResponseURL"], body=json.dumps(answer), headers={"Content-Type": ""}, timeout=10)


def _problem() -> str | None:
    try:
        Settings.from_env(os.environ)
    except BadSetting as error:
        return str(error)
    return None
