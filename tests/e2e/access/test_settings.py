"""Unusable settings fail the deployment or are refused after it, with a message. The queue stays as it was."""

import json
from dataclasses import replace
from hashlib import sha256

import boto3
import pytest
from botocore.exceptions import WaiterError
from cfnlint.decode import decode

from local_account import AccountError, LocalAccount
from sagequeue import QueueClient
from support.checkout import CHECKOUT
from support.deployed.container_requests import BUCKET
from support.deployed.rest_api import RestApi

TOO_MUCH = """\
shares:
  vision:
    members: ["*"]
    quota: {ml.m5.large: 3}
"""


def test_settings_that_the_functions_cannot_use_fail_the_deployment_and_leave_the_queue_as_it_was(
    account: LocalAccount, rest_api: RestApi
) -> None:
    with pytest.raises(AccountError, match="UPDATE_ROLLBACK_COMPLETE"):
        deploy(account, Operators="Platform")

    assert refusals()[-1].startswith("CALLERS: Operators: 'Platform' must be role/NAME, ")
    assert rest_api.get("/jobs").status_code == 200


def test_quotas_above_the_budget_are_refused_with_their_line(account: LocalAccount, operator: QueueClient) -> None:
    before = operator.config()
    with pytest.raises(AccountError, match=r"line 1: shares quota 3 × ml\.m5\.large in all, .* has 2\."):
        account.up(config=TOO_MUCH)
    assert operator.config() == before


def test_a_deployment_applies_the_file_that_it_names_or_fails_with_the_line_of_its_mistake(
    account: LocalAccount, operator: QueueClient
) -> None:
    try:
        deploy(account, ForceConfiguration="yes", **named("policy: {patience: 7s}\n"))  # others have applied versions
        in_force = operator.config()
        assert (in_force["author"], in_force["sections"]["policy"]["patience"]) == ("stack sagequeue", "7s")
        with pytest.raises(AccountError, match="UPDATE_ROLLBACK_COMPLETE"):
            deploy(account, **named("policy:\n  patience: soon\n"))
        assert "line 2: policy.patience" in refusals()[-1]
        assert operator.config() == in_force
    finally:
        deploy(account, Configuration="", ForceConfiguration="no")


def deploy(account: LocalAccount, **parameters: str) -> None:
    chosen = {**account.settings.parameters, **parameters}
    LocalAccount(replace(account.settings, parameters=chosen), home=account.paths.home).up()


def named(file: str) -> dict[str, str]:
    """Stores a configuration file, and returns the parameter of the stack that names it."""
    boto3.client("s3").put_object(Bucket=BUCKET, Key="queue.yaml", Body=file.encode())
    return {"Configuration": f"{BUCKET}/queue.yaml@sha256:{sha256(file.encode()).hexdigest()}"}


def refusals() -> list[str]:
    """Returns why updates of the stack failed, oldest first."""
    events = boto3.client("cloudformation").describe_stack_events(StackName="sagequeue")["StackEvents"]
    failed = [event for event in events if event.get("ResourceStatus") == "UPDATE_FAILED"]
    return [event["ResourceStatusReason"] for event in sorted(failed, key=lambda event: event["Timestamp"])]


def test_the_mark_of_a_queue_is_refused_to_another_stack(shell: dict[str, str]) -> None:
    template, _ = decode(str(CHECKOUT / "template.yaml"))
    mark, setting = template["Resources"]["Mark"], template["Parameters"]["NameMark"]
    cloudformation = boto3.client("cloudformation")
    body = json.dumps({"Parameters": {"NameMark": setting}, "Resources": {"Mark": mark}})
    cloudformation.create_stack(StackName="another", TemplateBody=body)
    with pytest.raises(WaiterError):
        cloudformation.get_waiter("stack_create_complete").wait(StackName="another", WaiterConfig={"Delay": 1})
    owner = boto3.client("ssm").get_parameter(Name="/sagequeue/marks/sq")["Parameter"]["Value"]
    assert owner == "sagequeue"
