"""Creates the state machine, its Lambda function and a role for both, with the caller's credentials."""

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import boto3

HERE = Path(__file__).parent
NAME = "train-three-models"
SERVICES = ["lambda.amazonaws.com", "states.amazonaws.com"]


def create() -> str:
    """Returns the ARN of the state machine."""
    role = _role()
    function = boto3.client("lambda").create_function(
        FunctionName=NAME,
        Runtime="python3.12",
        Role=role,
        Handler="submit.handle",
        Code={"ZipFile": _archive(HERE / "submit.py")},
        Timeout=30,
        Environment={"Variables": {"SAGEQUEUE_API_URL": os.environ["SAGEQUEUE_API_URL"]}},
    )
    definition = (HERE / "training.asl.json").read_text().replace("${SubmitFunction}", function["FunctionArn"])
    machine: str = boto3.client("stepfunctions").create_state_machine(name=NAME, definition=definition, roleArn=role)[
        "stateMachineArn"
    ]
    return machine


def _role() -> str:
    iam = boto3.client("iam")
    allowed = ["execute-api:Invoke", "lambda:InvokeFunction", "logs:CreateLogStream", "logs:PutLogEvents"]
    arn: str = iam.create_role(
        RoleName=NAME,
        AssumeRolePolicyDocument=_policy(Principal={"Service": SERVICES}, Action="sts:AssumeRole"),
    )["Role"]["Arn"]
    iam.put_role_policy(RoleName=NAME, PolicyName=NAME, PolicyDocument=_policy(Action=allowed, Resource="*"))
    return arn


def _policy(**statement: Any) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})


def _archive(script: Path) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.write(script, script.name)
    return archive.getvalue()
