"""A deployment with unusable settings fails with a message."""

import json
from dataclasses import replace

import boto3
import pytest
from botocore.exceptions import WaiterError
from cfnlint.decode import decode

from local_account import AccountError, LocalAccount
from support.checkout import CHECKOUT
from support.deployed.rest_api import RestApi

TOO_MUCH = '{"vision": {"members": ["*"], "guarantee": {"ml.m5.large": 3}}}'


def test_guarantees_above_the_budget_fail_the_deployment_and_leave_the_queue_as_it_was(
    account: LocalAccount, rest_api: RestApi
) -> None:
    parameters = {**account.settings.parameters, "Teams": TOO_MUCH}
    greedy = LocalAccount(replace(account.settings, parameters=parameters), home=account.paths.home)

    with pytest.raises(AccountError, match="UPDATE_ROLLBACK_COMPLETE"):
        greedy.up()

    events = boto3.client("cloudformation").describe_stack_events(StackName="sagequeue")["StackEvents"]
    (refusal,) = (event for event in events if event.get("ResourceStatus") == "UPDATE_FAILED")
    assert refusal["ResourceStatusReason"] == "teams.*.guarantee.ml.m5.large: 3 in all is not from 0 to 2"
    assert rest_api.get("/jobs").status_code == 200


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
