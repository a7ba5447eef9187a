"""Provides a temporary copy of the queue's table on DynamoDB Local."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import boto3

from support.dynamodb.dynamodb_local import running_dynamodb_local
from support.dynamodb.stores import Stores, dynamodb_stores

TABLE = "Queue"  # the table's logical name, as in the simulation


@contextmanager
def local_table() -> Iterator[tuple[Any, Stores]]:
    """Yields the client of a new table, and the adapters on it."""
    no_s3: Any = SimpleNamespace(create_bucket=lambda **_: None)  # no request of the benchmark is large
    session = boto3.Session(aws_access_key_id="local", aws_secret_access_key="local", region_name="us-east-1")  # noqa: S106 - invented
    with running_dynamodb_local() as address:
        client: Any = session.client("dynamodb", endpoint_url=address)
        yield client, dynamodb_stores(client, TABLE, no_s3)
