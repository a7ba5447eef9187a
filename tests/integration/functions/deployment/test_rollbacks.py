"""A rollback of the stack restores the previous configuration, and needs no file."""

import boto3
import pytest

from integration.functions.deployment.cloudformation import (
    FIRST,
    OPERATOR,
    PATIENT_OPERATOR,
    SECOND,
    THIRD,
    CloudFormation,
    fails,
    forget,
    in_force,
    operator_applies,
    sections,
    succeeds,
    upload,
)
from support.account.function_wirings import clear_built


def test_a_rollback_restores_the_configuration_before(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST, "first.yaml"))
    stack.deploy(**upload(SECOND, "second.yaml"))
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}  # without the rules, which only the second file has
    assert "version 2 was undone" in in_force().comment


def test_a_rollback_needs_no_file(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    stack.deploy(**upload(SECOND))  # replaces the object
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}
    stack.deploy(**upload(SECOND))
    forget()
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}


def test_a_rollback_with_force_needs_no_file_either(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST) | {"Force": "yes"})
    stack.deploy(**upload(SECOND) | {"Force": "yes"})
    forget()
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}


@pytest.mark.parametrize("force", ["no", "yes"])
def test_a_rollback_of_a_refused_update_changes_nothing(stack: CloudFormation, force: str) -> None:
    stack.deploy(**upload(FIRST) | {"Force": force})
    operator_applies(PATIENT_OPERATOR)
    fails(stack.update(**upload(THIRD)))
    forget()
    succeeds(stack.roll_back())
    assert (in_force().version, in_force().author) == (2, OPERATOR)


def test_a_rollback_of_the_first_deployment_with_a_file_leaves_the_file_in_force(stack: CloudFormation) -> None:
    stack.deploy(Configuration="", Force="no")
    stack.deploy(**upload(FIRST))
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}


def test_a_rollback_restores_what_force_replaced(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    operator_applies(PATIENT_OPERATOR)
    stack.deploy(**upload(THIRD) | {"Force": "yes"})
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "50m"}}


def test_a_rollback_with_force_leaves_no_section_of_the_file_that_was_undone(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST, "first.yaml") | {"Force": "yes"})
    stack.deploy(**upload(SECOND, "second.yaml") | {"Force": "yes"})
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}  # without the rules, which only the second file has


def test_a_return_with_force_replaces_what_an_operator_applied_since(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST, "first.yaml"))
    stack.deploy(**upload(SECOND, "second.yaml"))
    operator_applies(PATIENT_OPERATOR)
    stack.deploy(**upload(FIRST, "first.yaml") | {"Force": "yes"})
    assert sections() == {"policy": {"patience": "10m"}}
    stack.deploy(**upload(THIRD))  # what is in force is the stack's own again


def test_a_rollback_keeps_what_an_operator_applied_meanwhile(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    stack.deploy(**upload(SECOND))
    operator_applies(PATIENT_OPERATOR)
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "50m"}}
    # It is still the operator's: the next deployment does not replace it.
    assert f"{OPERATOR} applied version 3" in fails(stack.update(**upload(THIRD)))
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "50m"}}


def test_a_file_is_deployed_again_after_its_rollback(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    stack.deploy(**upload(SECOND))
    succeeds(stack.roll_back())
    stack.deploy(**upload(SECOND))
    assert sections()["policy"] == {"patience": "20m"}
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}


def test_a_file_that_was_rolled_back_does_not_replace_what_an_operator_applied_since(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    stack.deploy(**upload(SECOND))
    succeeds(stack.roll_back())
    operator_applies(PATIENT_OPERATOR)
    assert "applied version 4" in fails(stack.update(**upload(SECOND)))


def test_a_rollback_past_a_version_that_cannot_be_read_succeeds(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    stack.deploy(**upload(SECOND))
    key = {"pk": {"S": "CONFIG"}, "sk": {"S": "00000002"}}
    broken = key | {"version": {"S": "two"}}
    boto3.client("dynamodb", region_name="eu-west-1").put_item(TableName="queue", Item=broken)
    succeeds(stack.roll_back())
    assert sections() == {"policy": {"patience": "10m"}}


def test_a_rollback_is_not_prevented_by_a_budget_that_made_the_sections_before_wrong(
    stack: CloudFormation, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack.deploy(**upload("shares: {vision: {members: ['*'], quota: {ml.m5.large: 2}}}\n"))
    stack.deploy(**upload("shares: {}\n"))
    monkeypatch.setenv("INSTANCE_BUDGET", "ml.m5.large=1")
    clear_built()
    succeeds(stack.roll_back())
    assert "vision" in sections()["shares"]
