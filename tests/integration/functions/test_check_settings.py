"""The check_settings function reports unusable settings to CloudFormation."""

from typing import Any

import pytest

from check_settings.handler import handle
from integration.sagequeue.fakes.http import Call, serving


class CloudFormation:
    """Where a custom resource sends its answer."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

    def answer(self, call: Call) -> tuple[int, Any]:
        self.told.append(call.body)
        return 200, {}


def ask(request_type: str = "Create") -> dict[str, Any]:
    cloudformation = CloudFormation()
    with serving(cloudformation) as url:
        event = {"StackId": "stack", "RequestId": "request", "LogicalResourceId": "Settings"}
        handle(event | {"RequestType": request_type, "ResponseURL": url}, None)
    (told,) = cloudformation.told
    assert {name: told[name] for name in event} == event
    assert told["PhysicalResourceId"]
    return told


def test_settings_that_can_be_used_are_accepted(table: str) -> None:
    assert ask()["Status"] == "SUCCESS"


@pytest.mark.parametrize("request_type", ["Create", "Update"])
def test_a_team_that_cannot_be_is_refused_with_the_key(
    request_type: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAMS", '{"vision": {"members": ["*"], "weight": -1}}')
    told = ask(request_type)
    assert told["Status"] == "FAILED"
    assert told["Reason"] == "teams.vision.weight: -1 is not a number above 0 and up to 1000"


def test_a_stack_with_bad_settings_can_still_be_deleted(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAMS", "nonsense")
    assert ask("Delete")["Status"] == "SUCCESS"
