"""Checks that S3 inputs have objects, and that the buckets of outputs and checkpoints exist.

All calls need only s3:ListBucket. HeadObject would not show whether an object is missing or the caller lacks
s3:ListBucket: S3 answers 403 to both.
"""

import boto3
from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from sagequeue.cli.prerequisites.prerequisite import PATIENCE, Named, Prerequisite

_SCHEME = "s3://"
_ACTION = "s3:ListBucket"
_MISSING_BUCKETS = frozenset({"NoSuchBucket", "404"})


def check_input(session: boto3.Session, location: Named, *, is_prefix: bool) -> Prerequisite:
    """Checks for at least one object below a prefix, or for a manifest."""
    if not _is_known(location):
        return _unknown(location)
    bucket, _, key = location.value.removeprefix(_SCHEME).partition("/")
    try:
        found = session.client("s3", config=PATIENCE).list_objects_v2(Bucket=bucket, Prefix=key, MaxKeys=1)
    except (ClientError, BotoCoreError) as error:
        return _after(error, location, bucket)
    keys = [entry["Key"] for entry in found.get("Contents", ())]  # the manifest itself sorts before longer keys
    if not keys or not (is_prefix or keys == [key]):
        problem = "no object has this prefix" if is_prefix else "the manifest does not exist"
        return location.problem(problem, "Upload the data, or correct the URI.")
    return location.fulfilled("has objects" if is_prefix else "exists")


def check_bucket(session: boto3.Session, location: Named) -> Prerequisite:
    if not _is_known(location):
        return _unknown(location)
    bucket = location.value.removeprefix(_SCHEME).partition("/")[0]
    try:
        session.client("s3", config=PATIENCE).head_bucket(Bucket=bucket)
    except (ClientError, BotoCoreError) as error:
        return _after(error, location, bucket)
    return location.fulfilled(f"bucket {bucket} exists")


def _is_known(location: Named) -> bool:
    return location.value.startswith(_SCHEME) and "${" not in location.value


def _unknown(location: Named) -> Prerequisite:
    if "${" in location.value:
        return location.unchecked("its value is known only after other jobs have ended")
    return location.unchecked("its value is not an s3:// URI")


def _after(error: ClientError | BotoCoreError, location: Named, bucket: str) -> Prerequisite:
    if isinstance(error, ParamValidationError):  # AWS was not called
        return location.problem(f"{bucket!r} is not a valid name of a bucket", "Correct the URI.")
    if isinstance(error, ClientError) and error.response["Error"]["Code"] in _MISSING_BUCKETS:
        return location.problem(f"bucket {bucket} does not exist", "Create the bucket, or correct the URI.")
    return location.unanswered(error, _ACTION, f"bucket {bucket}")
