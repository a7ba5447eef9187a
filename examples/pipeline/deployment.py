"""Deploys stacks/pipelines.yaml, the queue consumer's stack, with the caller's credentials."""

import io
import os
import re
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import boto3

CHECKOUT = Path(__file__).parents[2]
NAME = "sagequeue-pipelines"
CODE = "CodeUri: ../integrations/pipelines/"
URL_PATTERN = r" *AllowedPattern: \^https:.*\n"  # URLs of the local account have another form


def create(bucket: str) -> str:
    """Returns the URL of the stack's SQS queue. The bucket takes the function's code, as `sam deploy` would do."""
    boto3.client("s3").put_object(Bucket=bucket, Key=f"{NAME}.zip", Body=_archive())
    template = (CHECKOUT / "stacks/pipelines.yaml").read_text().replace(CODE, f"CodeUri: s3://{bucket}/{NAME}.zip")
    template = re.sub(URL_PATTERN, "", template)
    url = os.environ["SAGEQUEUE_API_URL"]
    parameters = {"ApiUrl": url, "ApiId": _api_id(url)}
    cloudformation = boto3.client("cloudformation")
    cloudformation.create_stack(
        StackName=NAME,
        TemplateBody=template,
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    cloudformation.get_waiter("stack_create_complete").wait(StackName=NAME, WaiterConfig={"Delay": 1})
    (stack,) = cloudformation.describe_stacks(StackName=NAME)["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
    return outputs["QueueUrl"]


def _api_id(url: str) -> str:
    """Returns the id in the URL of an API: part of the host name in AWS, and of the path in the local account."""
    local = re.search(r"/restapis/(\w+)/", url)
    return local[1] if local else str(urlsplit(url).hostname).partition(".")[0]


def _archive() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.write(CHECKOUT / "integrations/pipelines/consumer.py", "consumer.py")
    return archive.getvalue()
