"""Settings are checked before the table exists, and again with each change of them."""

from typing import Any

import boto3
import pytest

from integration.functions.deployment.cloudformation import (
    AUTHOR,
    FIRST,
    REFUSED,
    STACK,
    CloudFormation,
    fails,
    forget,
    in_force,
    succeeds,
    upload,
)
from scheduler.wiring import shared


def test_a_stack_without_a_file_is_only_checked(stack: CloudFormation) -> None:
    stack.deploy(Configuration="", Force="no")
    assert in_force().version == 0


def test_unusable_settings_fail_the_deployment_before_anything_is_applied(
    stack: CloudFormation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAME_MARK", "s*")
    assert "NAME_MARK: 's*' is not 2 to 8 lower-case letters and digits" in fails(stack.update(**upload(FIRST)))
    monkeypatch.setenv("NAME_MARK", "sq")
    assert in_force().version == 0


@pytest.fixture
def no_table(stack: CloudFormation, monkeypatch: pytest.MonkeyPatch) -> CloudFormation:
    """The stack before its table and bucket exist."""
    boto3.client("dynamodb", region_name="eu-west-1").delete_table(TableName="queue")
    for name in ("TABLE_NAME", "BODY_BUCKET"):
        monkeypatch.setenv(name, "")
    return stack


class Stacks:
    """CloudFormation's answer about a stack in this status."""

    def __init__(self, status: str) -> None:
        self.status = status

    def describe_stacks(self, **call: str) -> dict[str, Any]:
        assert call == {"StackName": STACK}
        return {"Stacks": [{"StackName": "team-queue", "StackStatus": self.status}]}


@pytest.mark.parametrize(
    ("before", "wanted", "status", "is_refused"),
    [
        ("yes", "no", "UPDATE_IN_PROGRESS", True),
        ("yes", "no", "UPDATE_ROLLBACK_IN_PROGRESS", False),
        ("yes", "yes", "UPDATE_IN_PROGRESS", False),
        ("no", "yes", "UPDATE_IN_PROGRESS", False),
        ("no", "yes", "UPDATE_ROLLBACK_IN_PROGRESS", False),
    ],
)
def test_a_deployment_that_gives_up_the_key_of_stored_requests_is_refused_unless_it_is_a_rollback(
    no_table: CloudFormation,
    monkeypatch: pytest.MonkeyPatch,
    before: str,
    wanted: str,
    status: str,
    is_refused: bool,
) -> None:
    monkeypatch.setattr(shared, "client", lambda _service, **_: Stacks(status))
    succeeds(no_table.create_settings(CustomerKey=before))
    no_table.before, no_table.now = no_table.now, {"CustomerKey": wanted}
    told = no_table.send("Update")
    if is_refused:
        assert "Deploy again with CustomerKey=yes." in fails(told)
    else:
        succeeds(told)


def test_a_first_deployment_is_refused_before_the_table_exists(
    no_table: CloudFormation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAME_MARK", "s*")
    assert "NAME_MARK" in fails(no_table.create_settings())


def test_the_file_of_a_first_deployment_is_checked_before_the_table_exists(no_table: CloudFormation) -> None:
    assert "line 1: policy.ordering " in fails(no_table.create_settings(**upload(REFUSED)))
    missing, wrong = f"files/x@sha256:{'0' * 64}", f"files/queue.yaml@sha256:{'0' * 64}"
    assert "cannot be read (NoSuchKey)" in fails(no_table.create_settings(Configuration=missing))
    assert "but the deployment names 000000000000…" in fails(no_table.create_settings(Configuration=wrong))
    succeeds(no_table.create_settings(**upload(FIRST)))


def test_the_file_is_checked_against_the_budget_of_the_stack(no_table: CloudFormation) -> None:
    text = 'shares: {vision: {members: ["*:assumed-role/Vision/*"], quota: {ml.p5.48xlarge: 1}}}\n'
    assert "ml.p5.48xlarge" in fails(no_table.create_settings(**upload(text)))


def test_the_settings_of_a_rollback_need_no_file(no_table: CloudFormation) -> None:
    """Its file may be gone, and a refusal would block the rollback."""
    no_table.now = no_table.before = upload(FIRST)
    forget()
    succeeds(no_table.send("Update"))


def test_the_function_applies_a_file_to_the_table_that_the_event_names(
    stack: CloudFormation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_NAME", "")
    succeeds(stack.create_settings(**upload(FIRST)))
    stack.now = None
    stack.deploy(**upload(FIRST))
    assert in_force().author == AUTHOR


def test_a_stack_with_unusable_settings_can_be_deleted_and_keeps_its_configuration(
    stack: CloudFormation, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack.deploy(**upload(FIRST))
    monkeypatch.setenv("NAME_MARK", "s*")
    succeeds(stack.send("Delete"))
    assert in_force().version == 1
