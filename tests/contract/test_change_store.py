"""ChangeStore: a change is recorded once, and read in the order of recording, page by page."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

import boto3
import pytest

from scheduler.adapters.dynamodb.changes import DynamoDBChangeStore
from scheduler.adapters.dynamodb.table import Table as DynamoDBTable
from scheduler.core.history.change import Change
from scheduler.errors.refusals import UnknownToken
from support.builders.changes import a_change
from support.builders.jobs import NOON
from support.dynamodb.client import TableClient
from support.dynamodb.stores import dynamodb_stores
from support.dynamodb.table import Table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

YEAR = NOON + timedelta(days=365)
LATER = NOON + timedelta(days=1)


@pytest.fixture(params=["simulated", "moto", "dynamodb_local"])
def store(request: pytest.FixtureRequest, aws: boto3.Session, table_name: str, s3: "S3Client") -> DynamoDBChangeStore:
    clients: dict[str, Callable[[], Any]] = {
        "simulated": lambda: TableClient(Table()),
        "moto": lambda: aws.client("dynamodb"),
        "dynamodb_local": lambda: request.getfixturevalue("dynamodb"),
    }
    client = cast("DynamoDBClient", clients[request.param]())
    dynamodb_stores(client, table_name, s3)
    return DynamoDBChangeStore(DynamoDBTable(client, table_name))


def test_a_change_comes_back_as_it_was_kept(store: DynamoDBChangeStore) -> None:
    store.append(a_change(), YEAR)
    assert store.page(NOON, LATER, 10, None).changes == (a_change(),)


def test_a_change_is_kept_once_and_never_replaced(store: DynamoDBChangeStore) -> None:
    assert store.append(a_change(priority=1), YEAR)
    assert not store.append(a_change(priority=2), YEAR)
    assert [change.priority for change in store.page(NOON, LATER, 10, None).changes] == [1]


def test_pages_go_on_where_the_one_before_ended(store: DynamoDBChangeStore) -> None:
    # One job's name begins with another's, and they were changed within one tick of the stream's clock.
    kept = [a_change(job, version=version) for version in (0, 1) for job in ("res", "resnet")]
    for change in reversed(kept):
        store.append(change, YEAR)
    assert _all(store, page=1) == kept


def test_only_what_was_recorded_in_that_time_is_read(store: DynamoDBChangeStore) -> None:
    for hour in range(3):
        store.append(a_change(version=hour, recorded_at=NOON + timedelta(hours=hour)), YEAR)
    page = store.page(NOON + timedelta(hours=1), NOON + timedelta(hours=2), 10, None)
    assert [change.version for change in page.changes] == [1]


def test_there_is_no_page_behind_one_that_is_not_full(store: DynamoDBChangeStore) -> None:
    store.append(a_change(), YEAR)
    assert store.page(NOON, LATER, 2, None).next_token is None


def test_behind_the_end_of_that_time_a_token_of_another_finds_nothing(store: DynamoDBChangeStore) -> None:
    for hour in range(1, 4):
        store.append(a_change(version=hour, recorded_at=NOON + timedelta(hours=hour)), YEAR)
    token = store.page(NOON, LATER, 2, None).next_token
    assert token is not None
    page = store.page(NOON, NOON + timedelta(hours=1), 10, token)
    assert (page.changes, page.next_token) == ((), None)


@pytest.mark.parametrize("token", ["x", "!!!!", "Q0hBTkdFUw=="])
def test_a_token_of_something_else_is_refused(store: DynamoDBChangeStore, token: str) -> None:
    with pytest.raises(UnknownToken):
        store.page(NOON, LATER, 10, token)


def _all(store: DynamoDBChangeStore, page: int) -> list[Change]:
    found: list[Change] = []
    token = None
    while True:
        answer = store.page(NOON, LATER, page, token)
        found += answer.changes
        token = answer.next_token
        if token is None:
            return found
