"""A second stack with its own key and a private API, as far as the local account supports them."""

import json
import tomllib
from collections.abc import Iterator
from subprocess import CompletedProcess

import boto3
import pytest

from local_account import LocalAccount
from support.checkout import CHECKOUT
from support.deployed.commands import run
from support.deployed.container_requests import ROLE, body
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

NAME = "private"
LOGS = f"/aws/cloudformation/{NAME}/"

Resources = dict[str, str]  # physical names by logical ones


@pytest.fixture(scope="module")
def private(account: LocalAccount, shell: dict[str, str]) -> Iterator[Resources]:
    """As samconfig.toml has it, with another mark and the role of the local account."""
    done = deployed(account, shell, NAME, "NameMark=pv")
    assert done.returncode == 0, done.stdout + done.stderr
    stack = boto3.client("cloudformation").describe_stack_resources(StackName=NAME)["StackResources"]
    yield {resource["LogicalResourceId"]: resource["PhysicalResourceId"] for resource in stack}
    deleted()


def test_its_queue_runs_jobs_beside_that_of_another_stack(private: Resources, rest_api: RestApi) -> None:
    request = body("kept")
    request["ResourceConfig"]["InstanceType"] = "ml.g5.xlarge"
    own = RestApi(rest_api.session, rest_api.url.replace(rest_api.url.split("/")[4], private["Api"]))
    own.submit(request)
    done = eventually(lambda: own.job("kept"), lambda job: job["state"] == "completed")
    assert [attempt["name"] for attempt in done["attempts"]] == ["kept-pv-1"]
    assert rest_api.get("/jobs/kept").status_code == 404


def test_its_key_is_that_of_its_logs_and_dead_letters(private: Resources) -> None:
    key = boto3.client("kms").describe_key(KeyId=private["Key"])["KeyMetadata"]["Arn"]
    groups = boto3.client("logs").describe_log_groups(logGroupNamePrefix=LOGS)["logGroups"]
    assert {group["logGroupName"].removeprefix(LOGS) for group in groups} >= {"AccessLogs", "ApiLogs", "ScheduleLogs"}
    assert {group.get("kmsKeyId") for group in groups} == {key}
    letters = boto3.client("sqs").get_queue_attributes(QueueUrl=private["DeadLetters"], AttributeNames=["All"])
    assert letters["Attributes"]["KmsMasterKeyId"] == key


def test_its_key_is_rotated_and_not_public(private: Resources) -> None:
    kms = boto3.client("kms")
    assert kms.get_key_rotation_status(KeyId=private["Key"])["KeyRotationEnabled"]
    policy = json.loads(kms.get_key_policy(KeyId=private["Key"], PolicyName="default")["Policy"])
    assert policy["Statement"]
    for statement in policy["Statement"]:
        if statement["Principal"] in ("*", {"AWS": "*"}):
            assert statement["Condition"]["StringEquals"]["aws:PrincipalAccount"] == "000000000000"


def test_when_it_is_deleted_its_table_bodies_and_key_stay(private: Resources) -> None:
    deleted()
    kept = boto3.client("dynamodb").scan(TableName=private["Queue"])["Items"]
    assert {"S": "JOB#kept"} in [item["pk"] for item in kept]
    assert private["Bodies"] in [bucket["Name"] for bucket in boto3.client("s3").list_buckets()["Buckets"]]
    assert boto3.client("kms").describe_key(KeyId=private["Key"])["KeyMetadata"]["KeyState"] == "Enabled"
    functions = boto3.client("lambda").list_functions()["Functions"]
    assert not [function for function in functions if function["FunctionName"].startswith(f"{NAME}-")]


def test_a_refused_first_deployment_leaves_nothing_behind(account: LocalAccount, shell: dict[str, str]) -> None:
    done = deployed(account, shell, "refused", "NameMark=rf", "Operators=Platform")
    assert done.returncode != 0
    cloudformation = boto3.client("cloudformation")
    assert cloudformation.describe_stacks(StackName="refused")["Stacks"][0]["StackStatus"] == "ROLLBACK_COMPLETE"
    made = cloudformation.describe_stack_events(StackName="refused")["StackEvents"]
    reasons = [event["ResourceStatusReason"] for event in made if event["ResourceStatus"] == "CREATE_FAILED"]
    assert [reason for reason in reasons if "Operators: 'Platform' must be role/NAME" in reason]
    assert not {"Queue", "Bodies"} & {event["LogicalResourceId"] for event in made}
    key = next(event["PhysicalResourceId"] for event in made if event["LogicalResourceId"] == "Key")
    assert boto3.client("kms").describe_key(KeyId=key)["KeyMetadata"]["KeyState"] == "PendingDeletion"
    cloudformation.delete_stack(StackName="refused")


def deployed(account: LocalAccount, shell: dict[str, str], name: str, *parameters: str) -> CompletedProcess[str]:
    """Deploys as samconfig.toml has it."""
    config = CHECKOUT / "samconfig.toml"
    deploy = tomllib.loads(config.read_text())["private"]["deploy"]["parameters"]
    given = [value for value in deploy["parameter_overrides"] if not value.startswith("ExecutionRolePattern=")]
    return run(
        *(account.paths.sam, "deploy", "--template-file", account.paths.deployed_template),
        *("--config-file", config, "--config-env", "private", "--no-confirm-changeset"),
        *("--stack-name", name, "--region", shell["AWS_DEFAULT_REGION"]),
        *("--parameter-overrides", *given, f"ExecutionRolePattern={ROLE.rpartition('/')[2]}", *parameters),
    )


def deleted() -> None:
    cloudformation = boto3.client("cloudformation")
    cloudformation.delete_stack(StackName=NAME)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=NAME, WaiterConfig={"Delay": 1})
