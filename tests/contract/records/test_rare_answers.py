"""Rare answers of AWS that no emulator gives: conflicts and throttles of transactions, and half of a batch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.config import Config
from moto import mock_aws

from scheduler.adapters.dynamodb import table
from scheduler.adapters.dynamodb.jobs.store import DynamoDBJobStore
from scheduler.adapters.dynamodb.lease.lease import DynamoDBLeaseStore
from scheduler.adapters.dynamodb.records.job_records import job_key
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.table import Table
from scheduler.errors.internal import LeaseHeld, StaleJob
from scheduler.errors.refusals import NameTaken
from support.builders.jobs import NOON, a_job
from support.dynamodb.stores import dynamodb_stores

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

    Answer = tuple[int, dict[str, Any]]

_ERRORS = "com.amazonaws.dynamodb.v20120810#"
ONE, TWO = job_key("one"), job_key("two")


def cancelled(*codes: str) -> Answer:
    reasons = [{"Code": code} for code in codes]
    return 400, {"__type": f"{_ERRORS}TransactionCanceledException", "CancellationReasons": reasons}


HELD = (400, {"__type": f"{_ERRORS}ConditionalCheckFailedException"})
CONFLICT = (400, {"__type": f"{_ERRORS}TransactionConflictException"})
TRANSIENT = [
    ("TransactionConflict", "None"),
    ("ThrottlingError", "None"),
    ("None", "ProvisionedThroughputExceeded"),
    ("ThrottlingError", "TransactionConflict"),
]
DONE = (200, {"Attributes": {"fence": {"N": "1"}, "wake_requests": {"N": "1"}}})


@contextmanager
def dynamodb_that_answers(*answers: Answer) -> Iterator[tuple[DynamoDBClient, list[dict[str, Any]]]]:
    """A client of a server with a script, and the requests that the server gets."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            status, body = answers[len(requests) - 1]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            """Tests are quiet."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        client = boto3.client(
            "dynamodb",
            endpoint_url=f"http://127.0.0.1:{server.server_port}",
            region_name="us-east-1",
            aws_access_key_id="local",
            aws_secret_access_key="local",
            config=Config(retries={"mode": "standard", "total_max_attempts": 1}),
        )
        try:
            yield client, requests
        finally:
            server.shutdown()


@pytest.mark.parametrize("codes", TRANSIENT)
def test_a_transaction_that_met_another_or_a_throttle_is_sent_again_as_the_same_one(
    s3: S3Client, codes: Sequence[str]
) -> None:
    conflict = cancelled(*codes)
    with dynamodb_that_answers(conflict, conflict, DONE) as (client, requests):
        DynamoDBJobStore(Table(client, "queue"), S3Requests(lambda: s3, "bodies")).submit(a_job(), {})
    assert len(requests) == 3
    assert len({request["ClientRequestToken"] for request in requests}) == 1


@pytest.mark.parametrize("codes", TRANSIENT)
def test_a_transaction_that_meets_them_at_each_try_counts_as_stale(
    s3: S3Client, monkeypatch: pytest.MonkeyPatch, codes: Sequence[str]
) -> None:
    monkeypatch.setattr(table, "_FIRST_DELAY", 0)
    with dynamodb_that_answers(*[cancelled(*codes)] * 8) as (client, requests), pytest.raises(StaleJob):
        DynamoDBJobStore(Table(client, "queue"), S3Requests(lambda: s3, "bodies")).submit(a_job(), {})
    assert len(requests) == 8


@pytest.mark.parametrize("other", ["TransactionConflict", "ThrottlingError"])
def test_a_transaction_whose_condition_failed_is_not_sent_again(s3: S3Client, other: str) -> None:
    answer = cancelled("ConditionalCheckFailed", other)
    with dynamodb_that_answers(answer) as (client, requests), pytest.raises(NameTaken):
        DynamoDBJobStore(Table(client, "queue"), S3Requests(lambda: s3, "bodies")).submit(a_job(), {})
    assert len(requests) == 1


def test_a_wake_request_that_met_a_transaction_is_not_lost() -> None:
    with dynamodb_that_answers(HELD, CONFLICT, DONE, DONE) as (client, requests):
        DynamoDBLeaseStore(Table(client, "queue")).acquire_lease(NOON, seconds=60)
    assert [request["UpdateExpression"][:9] for request in requests] == [
        "SET lease",
        "ADD wake_",
        "ADD wake_",
        "SET lease",
    ]


def test_a_lease_that_is_given_back_before_the_wake_request_goes_to_the_caller_that_requested_it() -> None:
    with dynamodb_that_answers(HELD, DONE, DONE) as (client, requests):
        assert DynamoDBLeaseStore(Table(client, "queue")).acquire_lease(NOON, seconds=60)
    assert requests[0] == requests[2]


def test_a_lease_whose_answer_was_lost_is_given_to_the_same_caller_again(aws: boto3.Session, table_name: str) -> None:
    client = aws.client("dynamodb")
    with mock_aws():
        dynamodb_stores(client, table_name, aws.client("s3"))
        answers: list[object] = []

        def lost(**_: object) -> int | None:
            answers.append(None)
            return 0 if len(answers) == 1 else None

        client.meta.events.register("needs-retry.dynamodb.UpdateItem", lost)  # type: ignore[arg-type] # stubs: no answer
        lease = DynamoDBLeaseStore(Table(client, table_name)).acquire_lease(NOON, seconds=60)
        assert lease.fence == 2
        with pytest.raises(LeaseHeld):
            DynamoDBLeaseStore(Table(client, table_name)).acquire_lease(NOON, seconds=60)


def test_what_a_batch_left_out_is_asked_for_again() -> None:
    half = {"Responses": {"queue": [ONE]}, "UnprocessedKeys": {"queue": {"Keys": [TWO], "ConsistentRead": True}}}
    rest = {"Responses": {"queue": [TWO]}, "UnprocessedKeys": {}}
    with dynamodb_that_answers((200, half), (200, rest)) as (client, requests):
        assert list(Table(client, "queue").items([ONE, TWO])) == [ONE, TWO]
    assert [request["RequestItems"]["queue"]["Keys"] for request in requests] == [[ONE, TWO], [TWO]]
