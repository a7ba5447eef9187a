"""The environment of programs that use the local account."""

import os

import boto3

from local_account.settings import Settings

ACCOUNT = "000000000000"
REGION = "us-east-1"
KEY = "test"  # access key and secret of its root user


def account_environment(settings: Settings) -> dict[str, str]:
    """Returns the variables with which any AWS SDK uses the local account, as its root user."""
    return {
        "AWS_ENDPOINT_URL": settings.endpoint,
        "AWS_ENDPOINT_URL_SAGEMAKER": settings.sagemaker_endpoint,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": KEY,
        "AWS_DEFAULT_REGION": REGION,
    }


def without_real_account() -> dict[str, str]:
    """Returns the caller's environment without variables that could lead a child process to a real AWS account."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "SAGEQUEUE_"))}
    return {**kept, "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}


def account_session() -> boto3.Session:
    """Returns a session for clients with the account's endpoint_url. They act as its root user."""
    return boto3.Session(aws_access_key_id=KEY, aws_secret_access_key=KEY, region_name=REGION)
