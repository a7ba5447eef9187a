"""Acts for a test with the role and environment of a function."""

import json
import os
import subprocess
from typing import Any

import boto3
from botocore.exceptions import ClientError

VERSION = "one"


def handle(event: dict[str, Any], context: object) -> dict[str, Any]:
    return {"statusCode": 200, "body": json.dumps(act(**json.loads(event["body"])))}


def act(action: str, item: str = "") -> str | int:
    if action == "version":
        return VERSION
    if action == "budget":
        return os.environ["INSTANCE_BUDGET"]
    if action == "spawn":
        return subprocess.Popen(["sleep", "600"]).pid  # noqa: S607 - found on any PATH
    return answer_of_aws(action, item)


def answer_of_aws(action: str, item: str) -> str:
    try:
        if action == "put":
            boto3.client("dynamodb").put_item(TableName=os.environ["TABLE_NAME"], Item={"pk": {"S": item}})
        elif action == "scan":
            boto3.client("dynamodb").scan(TableName=os.environ["TABLE_NAME"])
        elif action == "describe_training_job":
            boto3.client("sagemaker").describe_training_job(TrainingJobName=item)
    except ClientError as error:
        return f"{error.response['Error']['Code']}: {error.response['Error']['Message']}"
    return "ok"
