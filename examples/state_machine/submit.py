"""The Lambda function that submits a request with its task token. It returns at once; the queue ends the task."""

import json
import os
from typing import Any

import boto3
import urllib3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    """Raises an error if the queue refuses the request, so that the state fails."""
    url = f"{os.environ['SAGEQUEUE_API_URL']}/jobs"
    body = json.dumps({"request": event["request"], "on_end": {"task_token": event["task_token"]}})
    session = boto3.Session()
    credentials = session.get_credentials()
    if credentials is None:
        raise RuntimeError("there are no credentials; Lambda sets those of the function's role")
    call = AWSRequest("POST", url, headers={"Content-Type": "application/json"}, data=body)
    SigV4Auth(credentials, "execute-api", session.region_name).add_auth(call)
    answer = urllib3.request("POST", url, body=body, headers=dict(call.headers))
    if answer.status not in {200, 201}:
        raise RuntimeError(answer.data.decode())
