"""What a training job needs beside the queue: an execution role, and a bucket where SDKs put code and results."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import ClientError

from local_account.environment import ACCOUNT, REGION, account_session
from local_account.settings import Settings

BUCKET = f"sagemaker-{REGION}-{ACCOUNT}"  # the name that the SageMaker SDK gives its default bucket
ROLE = "SageMakerLocalRole"
ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/{ROLE}"

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"}, "Action": "sts:AssumeRole"},
    ],
}


def provide_training_needs(settings: Settings) -> None:
    session = account_session()
    # A bucket of one's own may be made again in us-east-1, but ministack forgets where a bucket is if it was killed.
    with _unless("BucketAlreadyOwnedByYou"):
        session.client("s3", endpoint_url=settings.endpoint).create_bucket(Bucket=BUCKET)
    with _unless("EntityAlreadyExists"):
        session.client("iam", endpoint_url=settings.endpoint).create_role(
            RoleName=ROLE, AssumeRolePolicyDocument=json.dumps(TRUST)
        )


@contextmanager
def _unless(code: str) -> Iterator[None]:
    """Passes over this one refusal."""
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] != code:
            raise
