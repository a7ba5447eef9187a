"""Writes stop notices and reads acknowledgements: small objects in the stack's bucket."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.requests.stop_notice.objects import LARGEST_ACKNOWLEDGEMENT, MalformedAcknowledgement
from scheduler.core.requests.stop_notice.variables import ACKNOWLEDGEMENTS, STOPS, NoticeBucket
from scheduler.errors.internal import StopObjectsUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

SERVER_ERRORS = 500


@dataclass(frozen=True, slots=True)
class S3StopObjects:
    """Implements the port `StopObjects`."""

    s3: Callable[[], S3Client]  # creating a client takes a tenth of a cold start, and many cycles do not need it
    bucket: NoticeBucket

    def write(self, attempt_name: str, content: bytes) -> None:
        try:
            self.s3().put_object(
                Bucket=self.bucket.name, Key=STOPS + attempt_name, Body=content, ContentType="application/json"
            )
        except (BotoCoreError, ClientError) as error:
            raise StopObjectsUnavailable(attempt_name) from error

    def acknowledgement(self, attempt_name: str) -> bytes | None:
        try:
            answer = self.s3().get_object(Bucket=self.bucket.name, Key=ACKNOWLEDGEMENTS + attempt_name)
            return answer["Body"].read(LARGEST_ACKNOWLEDGEMENT)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return None
            if error.response["ResponseMetadata"]["HTTPStatusCode"] < SERVER_ERRORS:
                # S3 refuses only this object: a training role has archived it, or encrypted it with another key.
                raise MalformedAcknowledgement(attempt_name) from error
            raise StopObjectsUnavailable(attempt_name) from error
        except BotoCoreError as error:
            raise StopObjectsUnavailable(attempt_name) from error
