"""Checks the parameters of the local account's stack, deploys its template with the real `sam`, and reads its state."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from shutil import copyfile, move
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import yaml
from botocore.exceptions import ClientError

from local_account.emulator_patch import patched
from local_account.errors import AccountError
from local_account.logs import tail
from local_account.paths import Paths
from local_account.settings import ACCOUNT, REGION, Settings, account_environment, account_session, without_real_account

NAME = "sagequeue"
BUCKET = f"sagemaker-{REGION}-{ACCOUNT}"  # the name of the SageMaker SDK's default bucket
ROLE = "SageMakerLocalRole"
ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/{ROLE}"

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"}, "Action": "sts:AssumeRole"},
    ],
}


@dataclass(frozen=True)
class Stack:
    state: str
    outputs: dict[str, str]

    def api_url(self, endpoint: str) -> str | None:
        """Returns the URL at which ministack serves the API; None before the first deployment is complete."""
        if "ApiUrl" not in self.outputs:
            return None
        deployed = urlsplit(self.outputs["ApiUrl"])
        api_id, stage = deployed.netloc.split(".")[0], deployed.path.strip("/")
        return f"{endpoint}/restapis/{api_id}/{stage}/_user_request_"


def find_stack(settings: Settings, key: str) -> Stack | None:
    cloudformation = account_session(key).client("cloudformation", endpoint_url=settings.endpoint)
    try:
        found = cloudformation.describe_stacks(StackName=NAME)["Stacks"][0]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":  # CloudFormation's code for a missing stack
            return None
        raise
    outputs = {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
    return Stack(found["StackStatus"], outputs)


def missing_resources(settings: Settings, key: str) -> list[str]:
    """Returns the missing functions and tables of the stack: a killed ministack loses some of them."""
    session = account_session(key)
    functions = session.client("lambda", endpoint_url=settings.endpoint)
    tables = session.client("dynamodb", endpoint_url=settings.endpoint)
    looks: dict[str, Callable[[str], object]] = {
        "AWS::Lambda::Function": lambda name: functions.get_function(FunctionName=name),
        "AWS::DynamoDB::Table": lambda name: tables.describe_table(TableName=name),
    }
    cloudformation = session.client("cloudformation", endpoint_url=settings.endpoint)
    missing = []
    for resource in cloudformation.describe_stack_resources(StackName=NAME)["StackResources"]:
        try:
            looks.get(resource["ResourceType"], str)(resource["PhysicalResourceId"])
        except ClientError as error:
            if error.response["Error"]["Code"] != "ResourceNotFoundException":
                raise
            missing.append(resource["LogicalResourceId"])
    return missing


def require_complete(settings: Settings, key: str) -> None:
    """Raises AccountError if functions or tables are missing: a deployment without changes does not detect this."""
    if missing := missing_resources(settings, key):
        raise AccountError(
            f"the deployed stack lacks {', '.join(missing)}, which ministack has lost; `sagequeue local up --fresh` "
            "creates everything again, without the existing jobs and objects"
        )


def stack_parameters(settings: Settings, paths: Paths) -> dict[str, str]:
    """Returns the parameters of the deployment, checked against the template with CloudFormation's rules.

    Raises AccountError for a value that CloudFormation would refuse.
    """
    given = {"InstanceBudget": settings.budget, "SweepRate": settings.sweep_rate, "ExecutionRolePattern": ROLE}
    chosen = {**given, **settings.parameters}
    known = _declared(paths)
    for name, value in chosen.items():
        if name not in known:
            raise AccountError(f"{name} is not a parameter of the stack; choose one of {', '.join(sorted(known))}")
        if not _accepts(known[name], value):
            raise AccountError(f"{name} cannot be {value!r}: {_rule(known[name])}")
    return chosen


class _Loader(yaml.SafeLoader):
    """Reads a template, and ignores CloudFormation's tags such as !Ref."""


_Loader.add_multi_constructor("!", lambda _loader, _suffix, _node: None)


def _declared(paths: Paths) -> Mapping[str, Mapping[str, Any]]:
    template = yaml.load(paths.template.read_text(), _Loader)  # noqa: S506 - a SafeLoader
    parameters: Mapping[str, Mapping[str, Any]] = template["Parameters"]
    return parameters


def _accepts(parameter: Mapping[str, Any], value: str) -> bool:
    if "AllowedValues" in parameter and value not in map(str, parameter["AllowedValues"]):
        return False
    return len(value) <= parameter.get("MaxLength", len(value)) and bool(
        re.fullmatch(parameter.get("AllowedPattern", "[\\s\\S]*"), value)
    )


def _rule(parameter: Mapping[str, Any]) -> str:
    if "AllowedValues" in parameter:
        return f"must be one of {', '.join(map(str, parameter['AllowedValues']))}"
    return str(parameter.get("ConstraintDescription", "see template.yaml"))


def create_training_resources(settings: Settings, key: str) -> None:
    """Creates an execution role for training jobs, and a bucket for their code and results."""
    session = account_session(key)
    # In us-east-1, creating an existing bucket succeeds. But a killed ministack loses the bucket's region.
    with _ignoring("BucketAlreadyOwnedByYou"):
        session.client("s3", endpoint_url=settings.endpoint).create_bucket(Bucket=BUCKET)
    with _ignoring("EntityAlreadyExists"):
        session.client("iam", endpoint_url=settings.endpoint).create_role(
            RoleName=ROLE, AssumeRolePolicyDocument=json.dumps(TRUST)
        )


@contextmanager
def _ignoring(code: str) -> Iterator[None]:
    """Ignores AWS errors that have this code."""
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] != code:
            raise


def build(settings: Settings, key: str, paths: Paths) -> None:
    folders = ["--build-dir", str(paths.build), "--cache-dir", str(paths.build_cache / "builds")]
    with _shared_record(paths):
        _sam(["build", "--template", str(paths.template), *folders], settings, key, paths)
    if paths.is_queue:
        template = patched(yaml.safe_load(paths.built_template.read_text()))
        paths.deployed_template.write_text(yaml.safe_dump(template, sort_keys=False))


@contextmanager
def _shared_record(paths: Paths) -> Iterator[None]:
    """Copies sam's record of the cached builds to the folder where sam expects it, and moves it back after the build.

    Other accounts wait in the meantime, because sam's cache is for one program at a time.
    """
    own, shared = paths.build.parent / "build.toml", paths.build_cache / "build.toml"
    paths.build_cache.mkdir(parents=True, exist_ok=True)
    with (paths.build_cache / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if shared.exists():
            copyfile(shared, own)
        yield
        move(own, shared)  # they may be on different file systems


def deploy(settings: Settings, key: str, paths: Paths) -> None:
    """Deploys the build. Does not change a stack that is up to date."""
    overrides = [f"{name}={_quoted(value)}" for name, value in stack_parameters(settings, paths).items()]
    template = str(paths.deployed_template)
    _sam(["deploy", "--template-file", template, "--parameter-overrides", *overrides], settings, key, paths)


def _quoted(value: str) -> str:
    """Quotes the value for sam's own parser."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _sam(arguments: list[str], settings: Settings, key: str, paths: Paths) -> None:
    command = [str(paths.sam), *arguments, "--config-file", str(paths.sam_settings), "--config-env", "local"]
    # The Makefiles of layer and functions build with this Python, because the one on the PATH may be too old.
    python = {"PYTHON": sys.executable, "SAM_CLI_TELEMETRY": "0"}
    environment = without_real_account() | account_environment(settings, key) | python
    log = paths.log("sam")
    # sam leaves temporary folders behind.
    with log.open("ab") as output, TemporaryDirectory(dir=paths.scratch) as scratch:
        done = subprocess.run(  # noqa: S603 - sam itself, no shell
            command,
            cwd=paths.checkout,
            env=environment | {"TMPDIR": scratch},
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        raise AccountError(f"sam {arguments[0]} failed; the end of {log}:\n{tail(log)}")
