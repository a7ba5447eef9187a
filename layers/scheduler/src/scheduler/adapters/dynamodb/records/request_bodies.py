"""Packs request bodies into records: compressed JSON text, or a pointer to S3 if the text is too large for an item.

Bodies are JSON text, because DynamoDB returns numbers as Decimal, which botocore refuses in a request. The job's record
has the digest of each packed body, so write access to the bucket is not enough to change a job's request.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import TooLarge

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

#: An item holds 400 KB, including the names of attributes (aws-facts 4.20).
LARGEST_IN_ITEM = 300 * 1024
#: The most bytes in a body, packed or not. The largest bodies hold an array's request and its alternatives.
LARGEST_BODY = 16 * 1024 * 1024


class BodyReplaced(Exception):
    """Signals that the packed body is not the body that was submitted."""


@dataclass(frozen=True, slots=True)
class PackedBody:
    attributes: dict[str, object]  # the record's attributes
    digest: str


@dataclass(frozen=True, slots=True)
class S3Requests:
    s3: Callable[[], S3Client]  # creating a client takes a tenth of a cold start, and few bodies are large
    bucket: str

    def pack(self, name: str, request: Mapping[str, object], choice: int = 0) -> PackedBody:
        """Packs the body for one choice of the job with this name. Stores a large body in S3. Raises TooLarge."""
        text = json.dumps(request, ensure_ascii=False).encode()  # escapes could triple the size
        if len(text) > LARGEST_BODY:
            raise TooLarge(
                f"The request with its alternatives has {len(text)} bytes; the limit is {LARGEST_BODY}",
                remedy="Put large hyperparameters into a file in S3 and pass its location.",
            )
        body = zlib.compress(text)
        digest = digest_of_body(body)
        if len(body) <= LARGEST_IN_ITEM:
            return PackedBody({"body": body}, digest)
        # The key contains the digest: if two submissions use one name, the loser cannot replace the winner's object.
        key = f"requests/{name}-{digest}" + (f"-{choice}" if choice else "")
        self.s3().put_object(Bucket=self.bucket, Key=key, Body=body)
        return PackedBody({"body_key": key}, digest)

    def unpack(self, record: Item, digest: str) -> dict[str, object]:
        """Returns the body if it has this digest. Compares the digest before it parses any of the body."""
        body = record["body"]["B"] if "body" in record else self._fetch(record["body_key"]["S"])
        if not compare_digest(digest_of_body(body), digest):
            raise BodyReplaced
        request: dict[str, object] = json.loads(_decompressed(body))
        return request

    def _fetch(self, key: str) -> bytes:
        """Raises ClientError if the object is permanently gone, BodyReplaced if it is too large, or BodyUnavailable."""
        try:
            answer = self.s3().get_object(Bucket=self.bucket, Key=key)
            if answer["ContentLength"] > LARGEST_BODY:
                raise BodyReplaced
            return answer["Body"].read()  # returns everything or raises: a partial body would look like a replaced one
        except (BotoCoreError, ClientError) as error:
            if isinstance(error, ClientError) and error.response["Error"]["Code"] == "NoSuchKey":
                raise
            raise BodyUnavailable(key) from error


def digest_of_body(body: bytes) -> str:
    return sha256(body).hexdigest()


def _decompressed(body: bytes) -> bytes:
    """Decompresses at most LARGEST_BODY bytes: a small body may expand a thousandfold."""
    decompressor = zlib.decompressobj()
    text = decompressor.decompress(body, LARGEST_BODY + 1)
    if len(text) > LARGEST_BODY:
        raise ValueError(f"the body is larger than {LARGEST_BODY} bytes")
    if not decompressor.eof:
        raise ValueError("the body is cut off")
    return text
