"""The calls that SDKs can make with the documented user policy, and with `execute-api:Invoke` alone, under IAM."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import boto3
import pytest
from botocore.exceptions import ClientError

from local_account import LocalAccount
from local_account.settings import REGION
from sagequeue.cli.doctor.command import checks
from sdks.environments import CHECKOUT, output_of
from support.deployed.container_requests import body
from support.deployed.sagemaker_gate import gate

ACCOUNT = "000000000000"
TRUSTED = {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "Action": "sts:AssumeRole"}
QUERY: Any = {
    "Id": "loss",
    "MetricStat": {
        "Metric": {"Namespace": "/aws/sagemaker/TrainingJobs", "MetricName": "loss"},
        "Period": 60,
        "Stat": "Average",
    },
}
INVOKE = {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": "*"}
SDKS = ("v2-oldest", "v2", "v3")
#: What the queue refuses to users who are no operators.
OF_OPERATORS = {"may plan settings", "may change settings", "may change the budget"}
#: What `sagequeue doctor` says without the statements of the policy that are not the queue's.
MISSING = {"may describe attempts", "may find logs", "may read logs", "may read metrics"}


def documented_policy(account: LocalAccount) -> list[dict[str, Any]]:
    """The user policy of docs/admin/iam.md for this account."""
    section = (CHECKOUT / "docs/admin/iam.md").read_text().partition("## User policy")[2]
    text = re.findall(r"```json\n(.*?)```", section, re.DOTALL)[0]
    api_id = account.env()["SAGEQUEUE_API_URL"].partition("/restapis/")[2].partition("/")[0]
    for name, value in {
        "eu-west-1": REGION,
        "123456789012": ACCOUNT,
        "API-ID": api_id,
        "BUCKET": account.env()["SAGEQUEUE_LOCAL_BUCKET"],
        "ROLE": "SageMakerLocalRole",
    }.items():
        text = text.replace(name, value)
    statements: list[dict[str, Any]] = json.loads(text)["Statement"]
    group = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:/aws/sagemaker/TrainingJobs"
    # AWS asks for the stream, ministack for its group.
    return [*statements, {"Effect": "Allow", "Action": "logs:GetLogEvents", "Resource": group}]


@contextmanager
def credentials(account: LocalAccount, name: str, statements: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """Yields the environment of programs that run with the credentials of a role of this policy."""
    root, endpoint = account.session(), account.settings.endpoint
    iam, sts = root.client("iam", endpoint_url=endpoint), root.client("sts", endpoint_url=endpoint)
    unique = f"{name}-{uuid4().hex[:8]}"
    role = iam.create_role(RoleName=unique, AssumeRolePolicyDocument=policy(TRUSTED))["Role"]["Arn"]
    iam.put_role_policy(RoleName=unique, PolicyName="user", PolicyDocument=policy(*statements))
    given = sts.assume_role(RoleArn=role, RoleSessionName="ada")["Credentials"]
    with gate(iam, role, account.settings.sagemaker_endpoint) as sagemaker:
        yield {
            "AWS_ACCESS_KEY_ID": given["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": given["SecretAccessKey"],
            "AWS_SESSION_TOKEN": given["SessionToken"],
            "AWS_ENDPOINT_URL_SAGEMAKER": sagemaker,
            "SAGEMAKER_VALIDATE_ROLE": "true",  # as SDK v3 does unless it is told not to
        }


def policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("sdk", SDKS)
def test_with_the_documented_policy_everything_works(account: LocalAccount, sdk: str) -> None:
    name = f"permitted-{sdk}"
    with credentials(account, f"Permitted-{sdk}", documented_policy(account)) as environment:
        output = output_of(account, sdk, f"digits_{sdk[:2]}", name, "1", environment=environment)
    assert "done: accuracy" in output  # the log
    assert re.search(rf"attached: s3://\S+/{name}\S*-sq-1/output/model\.tar\.gz", output), output
    assert "CloudWatch Logs refuses" not in output
    assert "AccessDenied" not in output


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("sdk", SDKS)
def test_with_invoke_alone_a_program_waits_to_the_end_and_learns_what_is_missing(
    account: LocalAccount, sdk: str
) -> None:
    program, good, bad = f"invoke_only_{sdk[:2]}", f"invoke-{sdk}-good", f"invoke-{sdk}-bad"
    with credentials(account, f"InvokeOnly-{sdk}", [INVOKE]) as environment:
        succeeded, failed = (
            output_of(account, sdk, program, name, command, environment=environment)
            for name, command in ((good, "echo trained"), (bad, "exit 3"))
        )
    assert re.search(rf"model: s3://\S+/out/{good}-sq-1/output/model\.tar\.gz", succeeded), succeeded
    assert "ask for logs:DescribeLogStreams and logs:GetLogEvents" in succeeded
    assert "error:" not in succeeded
    assert re.search("error: (UnexpectedStatusException|FailedStatusError) .*Failed", failed), failed
    assert "AccessDenied" not in succeeded + failed


@contextmanager
def session_of(account: LocalAccount, name: str, statements: list[dict[str, Any]]) -> Iterator[boto3.Session]:
    """Yields a session with the credentials of a role of this policy."""
    with credentials(account, name, statements) as environment, pytest.MonkeyPatch.context() as patch:
        for variable, value in environment.items():
            patch.setenv(variable, value)
        yield boto3.Session()


@pytest.fixture
def permitted(account: LocalAccount, session: boto3.Session) -> Iterator[boto3.Session]:
    """A session of a role with the documented policy, in the account's environment."""
    with session_of(account, "Permitted", documented_policy(account)) as permitted:
        yield permitted


def test_the_doctor_finds_the_documented_policy_complete(permitted: boto3.Session) -> None:
    found = {check.name: check.status for check in checks(permitted)}
    assert {name for name, status in found.items() if status != "ok"} == OF_OPERATORS
    assert found.keys() >= MISSING


@pytest.mark.usefixtures("session")
def test_the_doctor_names_what_is_missing_beside_invoke(account: LocalAccount) -> None:
    with session_of(account, "InvokeOnly", [INVOKE]) as invoking:
        found = {check.name: check.status for check in checks(invoking)}
    assert {name for name, status in found.items() if status != "ok"} == OF_OPERATORS | MISSING


def test_the_policy_finds_the_queue_the_role_and_metrics(permitted: boto3.Session) -> None:
    assert permitted.client("cloudformation").describe_stacks(StackName="sagequeue")["Stacks"]
    assert permitted.client("iam").get_role(RoleName="SageMakerLocalRole")["Role"]["Arn"]
    assert permitted.client("cloudwatch").get_metric_data(
        MetricDataQueries=[QUERY], StartTime="2026-11-01T00:00Z", EndTime="2026-11-02T00:00Z"
    )


def test_the_policy_allows_no_training_jobs_and_no_other_files(permitted: boto3.Session) -> None:
    refused: list[tuple[str, str, dict[str, Any]]] = [
        ("sagemaker", "create_training_job", body("past-the-queue")),
        ("sagemaker", "stop_training_job", {"TrainingJobName": "permitted-v2-sq-1"}),
        ("sagemaker", "describe_training_job", {"TrainingJobName": "somebody-elses"}),
        ("s3", "list_objects_v2", {"Bucket": "another"}),
    ]
    for service, operation, arguments in refused:
        with pytest.raises(ClientError, match="AccessDenied"):
            getattr(permitted.client(service), operation)(**arguments)  # type: ignore[call-overload]  # any of these
