"""Fetches a deployment's configuration file from S3."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.sections.file_text import MAX_BYTES
from scheduler.errors.config_errors import DeploymentRefused

#: Seconds. The deployment may have just granted the permission, and IAM takes some seconds to propagate it.
_PAUSES = (2.0, 5.0, 10.0, 15.0)
#: The same pattern as in the stack's parameter. A key has no colon, so the start of the digest is unambiguous.
_ADDRESS = re.compile(r"([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/([\w.=@+/-]+)@sha256:([0-9a-f]{64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class FileAddress:
    """The bucket, the key and the digest of a file. The parameter `Configuration` contains all three."""

    bucket: str
    key: str
    digest: str  # SHA-256, in hexadecimal digits

    @classmethod
    def parse(cls, text: str) -> "FileAddress":
        """Parses `bucket/key@sha256:digest`. Raises DeploymentRefused."""
        found = _ADDRESS.fullmatch(text)
        if found is None:
            raise DeploymentRefused(
                f"Configuration: {text!r} is not the address of a file with its digest. Write bucket/key@sha256:DIGEST,"
                " with the 64 hexadecimal digits that `sha256sum FILE` prints."
            )
        return cls(*found.groups())

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.key}"


def fetch_file(s3: Any, address: FileAddress, sleep: Callable[[float], None]) -> bytes:
    """Returns the content of the object at this address.

    Raises DeploymentRefused, for example if the object is too large.
    """
    try:
        answer = _get(s3, address, sleep)
        with closing(answer["Body"]) as body:
            if answer["ContentLength"] > MAX_BYTES:  # and does not read the content
                size = f"{answer['ContentLength']} bytes long, and a configuration has at most {MAX_BYTES}"
                raise DeploymentRefused(f"{address} is {size}. Check the address.")
            return bytes(body.read())
    except ClientError as error:  # S3 answers AccessDenied for a missing object if the stack cannot list the bucket
        cause = error.response["Error"]["Code"]
        remedy = "Check that it exists, and that its bucket and key allow this stack to read it."
        raise DeploymentRefused(f"{address} cannot be read ({cause}). {remedy}") from error
    except BotoCoreError as error:
        raise DeploymentRefused(f"{address} cannot be read ({type(error).__name__}). Deploy again.") from error


def _get(s3: Any, address: FileAddress, sleep: Callable[[float], None]) -> Any:
    for pause in _PAUSES:
        try:
            return s3.get_object(Bucket=address.bucket, Key=address.key)
        except ClientError as error:
            if error.response["Error"]["Code"] != "AccessDenied":
                raise
        sleep(pause)
    return s3.get_object(Bucket=address.bucket, Key=address.key)
