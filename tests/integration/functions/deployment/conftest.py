"""A stack whose custom resource sends its events to the configuration function."""

from collections.abc import Iterator

import boto3
import pytest

from integration.functions.deployment.cloudformation import CloudFormation
from integration.sagequeue.fakes.http import serving


@pytest.fixture
def stack(table: str) -> Iterator[CloudFormation]:
    boto3.client("s3", region_name="us-east-1").create_bucket(Bucket="files")
    cloudformation = CloudFormation("")
    with serving(cloudformation) as url:
        cloudformation.url = url
        yield cloudformation
