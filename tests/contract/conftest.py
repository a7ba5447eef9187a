"""Runs each contract test on four stores: in memory, on the simulated table, on moto and on DynamoDB Local."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, cast

import boto3
import pytest
from botocore.config import Config
from moto import mock_aws

from scheduler.core.reconciliation.lease import Lease
from support.builders.jobs import NOON
from support.dynamodb.client import TableClient
from support.dynamodb.dynamodb_local import running_dynamodb_local
from support.dynamodb.stores import Stores, dynamodb_stores, memory_stores
from support.dynamodb.table import Table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

# A table of the same name would still know the tokens of the previous one.
_table_numbers = count(1)


@pytest.fixture(params=["memory", "simulated", "moto", "dynamodb_local"])
def stores(request: pytest.FixtureRequest) -> Stores:
    stores: Stores = request.getfixturevalue(request.param)
    return stores


@pytest.fixture
def lease(stores: Stores) -> Lease:
    return stores.leases.acquire_lease(NOON, seconds=60)


@pytest.fixture
def lost_lease(stores: Stores, lease: Lease) -> Lease:
    stores.leases.acquire_lease(lease.expires_at, seconds=60)
    return lease


@pytest.fixture
def memory() -> Stores:
    return memory_stores()


@pytest.fixture
def simulated(s3: S3Client) -> Stores:
    """The stores that the simulation runs on: without this suite, it would prove nothing about the real one."""
    return dynamodb_stores(cast("DynamoDBClient", TableClient(Table())), "queue", s3)


@pytest.fixture
def moto(aws: boto3.Session, table_name: str, s3: S3Client) -> Stores:
    return dynamodb_stores(aws.client("dynamodb"), table_name, s3)


@pytest.fixture
def dynamodb_local(dynamodb: DynamoDBClient, table_name: str, s3: S3Client) -> Stores:
    return dynamodb_stores(dynamodb, table_name, s3)


@pytest.fixture
def s3(s3_client: S3Client) -> Iterator[S3Client]:
    with mock_aws():
        yield s3_client


@pytest.fixture
def table_name() -> str:
    return f"queue-{next(_table_numbers)}"


@pytest.fixture(scope="session")
def dynamodb(aws: boto3.Session) -> Iterator[DynamoDBClient]:
    with running_dynamodb_local() as address:
        yield aws.client("dynamodb", endpoint_url=address, config=Config(max_pool_connections=60))


@pytest.fixture(scope="session")
def s3_client(aws: boto3.Session) -> S3Client:
    """Is made once: it takes ten times as long as a call."""
    return aws.client("s3")


@pytest.fixture(scope="session")
def aws() -> boto3.Session:
    return boto3.Session(aws_access_key_id="local", aws_secret_access_key="local", region_name="us-east-1")
