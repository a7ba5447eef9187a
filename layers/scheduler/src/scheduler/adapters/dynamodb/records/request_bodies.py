"""Packs request bodies into records: compressed JSON text, or a pointer to S3 if that is too large for an item.

They are JSON text, because DynamoDB returns numbers as Decimal, which botocore refuses in a request. The job's record
has the digest of each packed body: who can write to the bucket cannot change what a job runs.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
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
#: The most bytes of a body, packed or not: JSON with escapes takes up to three times the bytes that the API takes.
LARGEST_BODY = 16 * 1024 * 1024


class BodyReplaced(Exception):
    """The packed body is not the one that was submitted."""


@dataclass(frozen=True, slots=True)
class PackedBody:
    attributes: dict[str, object]  # of the record
    digest: str


@dataclass(frozen=True, slots=True)
class S3Requests:
    s3: Callable[[], S3Client]  # few bodies are large, and its client takes a tenth of a cold start
    bucket: str

    def pack(self, job: Job, request: TrainingRequest, choice: int = 0) -> PackedBody:
        """Packs the body of a choice. A large body is in S3 when this returns."""
        body = zlib.compress(json.dumps(request).encode())
        digest = digest_of_body(body)
        if len(body) <= LARGEST_IN_ITEM:
            return PackedBody({"body": body}, digest)
        # The digest of these bytes keeps the loser of two submissions of one name from replacing the winner's object.
        key = f"requests/{job.name}-{digest}" + (f"-{choice}" if choice else "")
        self.s3().put_object(Bucket=self.bucket, Key=key, Body=body)
        return PackedBody({"body_key": key}, digest)

    def unpack(self, record: Item, digest: str) -> dict[str, object]:
        """Returns the body if it has this digest, which is compared before anything of the body is read."""
        body = record["body"]["B"] if "body" in record else self._fetch(record["body_key"]["S"])
        if not compare_digest(digest_of_body(body), digest):
            raise BodyReplaced
        request: dict[str, object] = json.loads(_decompressed(body))
        return request

    def _fetch(self, key: str) -> bytes:
        """Raises BodyUnavailable, unless the object is gone for good, or larger than the queue writes any."""
        try:
            answer = self.s3().get_object(Bucket=self.bucket, Key=key)
            if answer["ContentLength"] > LARGEST_BODY:
                raise BodyReplaced
            return answer["Body"].read()  # all or an error: a part would pass for a replaced body
        except (BotoCoreError, ClientError) as error:
            if isinstance(error, ClientError) and error.response["Error"]["Code"] == "NoSuchKey":
                raise
            raise BodyUnavailable(key) from error


def digest_of_body(body: bytes) -> str:
    return sha256(body).hexdigest()


def _decompressed(body: bytes) -> bytes:
    """Decompresses up to LARGEST_BODY bytes: a small body may expand a thousandfold."""
    decompressor = zlib.decompressobj()
    text = decompressor.decompress(body, LARGEST_BODY + 1)
    if len(text) > LARGEST_BODY:
        raise ValueError(f"the body is larger than {LARGEST_BODY} bytes")
    if not decompressor.eof:
        raise ValueError("the body is cut off")
    return text
