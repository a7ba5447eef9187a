"""Packs request bodies into records: compressed JSON text, or a pointer to S3 if that is too large for an item.

They are JSON text, because DynamoDB returns numbers as Decimal, which botocore refuses in a request.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.core.jobs.job import Job
from scheduler.errors.internal import BodyUnavailable
from scheduler.ports.training import TrainingRequest

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

#: An item holds 400 KB, names of attributes included (aws-facts 4.20).
LARGEST_IN_ITEM = 300 * 1024


@dataclass(frozen=True, slots=True)
class S3Requests:
    s3: Callable[[], S3Client]  # few bodies are large, and its client takes a tenth of a cold start
    bucket: str

    def pack(self, job: Job, request: TrainingRequest, choice: int = 0) -> dict[str, object]:
        """Returns the attributes that hold a choice's body. A large body is in S3 when this returns."""
        body = zlib.compress(json.dumps(request).encode())
        if len(body) <= LARGEST_IN_ITEM:
            return {"body": body}
        # The digest keeps the loser of two submissions of one name from replacing the winner's object.
        key = f"requests/{job.name}-{job.digest[:16]}" + (f"-{choice}" if choice else "")
        self.s3().put_object(Bucket=self.bucket, Key=key, Body=body)
        return {"body_key": key}

    def unpack(self, record: Item) -> dict[str, object]:
        body = record["body"]["B"] if "body" in record else self._fetch(record["body_key"]["S"])
        request: dict[str, object] = json.loads(zlib.decompress(body))
        return request

    def _fetch(self, key: str) -> bytes:
        """Raises BodyUnavailable, unless the object is gone for good."""
        try:
            return self.s3().get_object(Bucket=self.bucket, Key=key)["Body"].read()
        except (BotoCoreError, ClientError) as error:
            if isinstance(error, ClientError) and error.response["Error"]["Code"] == "NoSuchKey":
                raise
            raise BodyUnavailable(key) from error
