"""A stored body that is not the one that was submitted is refused, and never expands without bound."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from io import BytesIO
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from botocore.response import StreamingBody

from api.call import MAX_BODY_BYTES
from scheduler.adapters.dynamodb.records import request_bodies
from scheduler.adapters.dynamodb.records.request_bodies import (
    LARGEST_BODY,
    BodyReplaced,
    S3Requests,
    digest_of_body,
)
from scheduler.core.jobs.job import Job
from scheduler.core.requests.alternatives import MOST_ALTERNATIVES
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import TooLarge
from scheduler.errors.unreadable import ReplacedBody, UnreadableBody
from support.builders.jobs import a_job
from support.dynamodb.stores import Stores, dynamodb_stores

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

SUBMITTED = {"RoleArn": "arn:aws:iam::123456789012:role/Hers"}
REPLACED = zlib.compress(json.dumps({"RoleArn": "arn:aws:iam::123456789012:role/Mallory"}).encode())


@pytest.fixture
def stores(dynamodb: DynamoDBClient, table_name: str, s3: S3Client) -> Stores:
    return dynamodb_stores(dynamodb, table_name, s3)


@pytest.fixture
def everything_in_s3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "LARGEST_IN_ITEM", 0)


def submitted(stores: Stores) -> Job:
    stores.jobs.submit(a_job(), SUBMITTED)
    return stores.jobs.get("resnet")


def assert_refused(stores: Stores, job: Job, kind: type[UnreadableBody]) -> None:
    (found,) = stores.jobs.requests_of([job])
    assert isinstance(found, kind)
    with pytest.raises(kind):
        stores.jobs.request(job.name)


@pytest.mark.usefixtures("everything_in_s3")
def test_a_replaced_object_is_refused_in_clear_words_and_logged(
    stores: Stores, s3: S3Client, caplog: pytest.LogCaptureFixture
) -> None:
    job = submitted(stores)
    (key,) = [found["Key"] for found in s3.list_objects_v2(Bucket="bodies")["Contents"]]
    s3.put_object(Bucket="bodies", Key=key, Body=REPLACED)
    assert_refused(stores, job, ReplacedBody)
    (found,) = stores.jobs.requests_of([job])
    assert "was replaced" in str(found)
    assert {(record.message, vars(record)["cause"]) for record in caplog.records} == {("unreadable record", "replaced")}


@pytest.mark.usefixtures("everything_in_s3")
def test_an_object_under_another_key_is_refused(
    stores: Stores, s3: S3Client, dynamodb: DynamoDBClient, table_name: str
) -> None:
    job = submitted(stores)
    s3.put_object(Bucket="bodies", Key="requests/other", Body=REPLACED)
    change(dynamodb, table_name, "body_key", {"S": "requests/other"})
    assert_refused(stores, job, ReplacedBody)


def test_a_replaced_item_is_refused(stores: Stores, dynamodb: DynamoDBClient, table_name: str) -> None:
    job = submitted(stores)
    change(dynamodb, table_name, "body", {"B": REPLACED})
    assert_refused(stores, job, ReplacedBody)


def test_a_job_without_digests_starts_with_no_body(stores: Stores) -> None:
    submitted(stores)
    (found,) = stores.jobs.requests_of([a_job()])
    assert isinstance(found, ReplacedBody)


def test_an_expanding_body_is_cut_off(s3: S3Client) -> None:
    bomb = zlib.compress(b'"' + b" " * LARGEST_BODY + b'"', 9)
    assert len(bomb) < LARGEST_BODY / 500
    requests = S3Requests(lambda: s3, "bodies")
    with pytest.raises(ValueError, match="larger than"):
        requests.unpack({"body": {"B": bomb}}, digest_of_body(bomb))


def test_a_large_bomb_takes_no_more_memory_than_the_bound(s3: S3Client) -> None:
    compressor = zlib.compressobj()
    bomb = b"".join(compressor.compress(bytes(LARGEST_BODY)) for _ in range(16)) + compressor.flush()
    tracemalloc.start()
    with pytest.raises(ValueError, match="larger than"):
        S3Requests(lambda: s3, "bodies").unpack({"body": {"B": bomb}}, digest_of_body(bomb))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * LARGEST_BODY


@pytest.mark.parametrize("body", [b"", REPLACED[:-8], b"no zlib"], ids=["empty", "cut off", "another form"])
def test_a_broken_body_is_unreadable_although_its_digest_is_right(s3: S3Client, body: bytes) -> None:
    requests = S3Requests(lambda: s3, "bodies")
    with pytest.raises((ValueError, zlib.error)):
        requests.unpack({"body": {"B": body}}, digest_of_body(body))


def test_an_object_larger_than_any_body_is_not_read(s3: S3Client) -> None:
    s3.create_bucket(Bucket="bodies")
    s3.put_object(Bucket="bodies", Key="requests/huge", Body=b"x" * (LARGEST_BODY + 1))
    with pytest.raises(BodyReplaced):
        S3Requests(lambda: s3, "bodies").unpack({"body_key": {"S": "requests/huge"}}, "any")


def test_a_part_of_an_object_is_not_taken_for_a_replaced_one() -> None:
    answer = {"ContentLength": len(REPLACED), "Body": StreamingBody(BytesIO(REPLACED[:-8]), len(REPLACED))}
    s3: Any = SimpleNamespace(get_object=lambda **_: answer)
    with pytest.raises(BodyUnavailable):
        S3Requests(lambda: s3, "bodies").unpack({"body_key": {"S": "requests/cut-off"}}, digest_of_body(REPLACED))


def test_the_largest_body_that_the_api_takes_fits(s3: S3Client) -> None:
    requests = S3Requests(lambda: s3, "bodies")
    s3.create_bucket(Bucket="bodies")
    body = {"HyperParameters": {"x": "\N{GREEK SMALL LETTER ALPHA}" * (MAX_BODY_BYTES // 2)}}
    packed = requests.pack(a_job().name, body)
    item = {name: {"B": value} for name, value in packed.attributes.items()}
    assert requests.unpack(item, packed.digest) == body


def test_the_requests_of_an_array_fit_if_each_is_as_large_as_the_api_takes(s3: S3Client) -> None:
    requests = S3Requests(lambda: s3, "bodies")
    body = {"HyperParameters": {"x": "\N{GREEK SMALL LETTER ALPHA}" * (MAX_BODY_BYTES // 2)}}
    array = {"requests": [body] * (1 + MOST_ALTERNATIVES)}
    packed = requests.pack("sweep", array)
    assert requests.unpack({"body": {"B": packed.attributes["body"]}}, packed.digest) == array


def test_a_body_that_could_not_be_read_again_is_not_stored(s3: S3Client) -> None:
    largest = "x" * (LARGEST_BODY - len('{"x": ""}'))
    requests = S3Requests(lambda: s3, "bodies")
    packed = requests.pack("resnet", {"x": largest})
    assert requests.unpack({"body": {"B": packed.attributes["body"]}}, packed.digest) == {"x": largest}
    with pytest.raises(TooLarge, match=f"has {LARGEST_BODY + 1} bytes; the limit is {LARGEST_BODY}"):
        requests.pack("resnet", {"x": f"{largest}x"})


@pytest.mark.usefixtures("everything_in_s3")
def test_of_two_equal_requests_in_another_order_neither_replaces_the_body_of_the_other(s3: S3Client) -> None:
    requests = S3Requests(lambda: s3, "bodies")
    s3.create_bucket(Bucket="bodies")
    body = {"RoleArn": "arn:aws:iam::123456789012:role/Hers", "TrainingJobName": "resnet"}
    first = requests.pack(a_job().name, body)
    requests.pack(a_job().name, dict(reversed(body.items())))  # another client's, and its put arrives later
    assert requests.unpack({"body_key": {"S": first.attributes["body_key"]}}, first.digest) == body


def change(client: DynamoDBClient, table: str, attribute: str, value: Any) -> None:
    client.update_item(
        TableName=table,
        Key={"pk": {"S": "REQUEST#resnet"}, "sk": {"S": "0"}},
        UpdateExpression="SET #attribute = :value",
        ExpressionAttributeNames={"#attribute": attribute},
        ExpressionAttributeValues={":value": value},
    )
