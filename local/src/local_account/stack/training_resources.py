"""The resources of training jobs besides the queue: an execution role, and a bucket for code and results."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import ClientError

from local_account.environment import ACCOUNT, REGION, account_session
from local_account.settings import Settings

BUCKET = f"sagemaker-{REGION}-{ACCOUNT}"  # the name of the SageMaker SDK's default bucket
ROLE = "SageMakerLocalRole"
ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/{ROLE}"

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"}, "Action": "sts:AssumeRole"},
    ],
}


def create_training_resources(settings: Settings) -> None:
    session = account_session()
    # In us-east-1, creating an existing bucket succeeds, but a killed ministack forgets the bucket's region.
    with _ignoring("BucketAlreadyOwnedByYou"):
        session.client("s3", endpoint_url=settings.endpoint).create_bucket(Bucket=BUCKET)
    with _ignoring("EntityAlreadyExists"):
        session.client("iam", endpoint_url=settings.endpoint).create_role(
            RoleName=ROLE, AssumeRolePolicyDocument=json.dumps(TRUST)
        )


@contextmanager
def _ignoring(code: str) -> Iterator[None]:
    """Ignores the error with this code."""
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] != code:
            raise
