"""Creates the stores under test, on a table that template.yaml defines."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from cfnlint.decode import decode

from scheduler.adapters.dynamodb import stores as adapters
from scheduler.adapters.dynamodb.config_store import DynamoDBConfigStore, DynamoDBControlStore
from scheduler.adapters.dynamodb.lease.lease import DynamoDBLeaseStore
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.unmanaged_jobs import DynamoDBUnmanagedJobStore
from scheduler.ports.config_store import ConfigStore, ControlStore
from scheduler.ports.job_store import JobStores, LeaseStore
from support.checkout import CHECKOUT
from support.memory.config_store import MemoryConfigStore
from support.memory.store import MemoryStore
from support.memory.unmanaged_jobs import MemoryUnmanagedJobStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

_TEMPLATE = CHECKOUT / "template.yaml"
_BUCKET = "bodies"


@dataclass(frozen=True, slots=True)
class Stores(JobStores):
    leases: LeaseStore
    controls: ControlStore
    configuration: ConfigStore
    foreign: MemoryUnmanagedJobStore | DynamoDBUnmanagedJobStore


def memory_stores() -> Stores:
    store = MemoryStore()
    return Stores(
        store,
        store,
        store,
        store,
        store,
        store,
        store,
        store,
        store,
        store,
        store,
        store,
        MemoryConfigStore(),
        MemoryUnmanagedJobStore(),
    )


def dynamodb_stores(client: DynamoDBClient, table: str, s3: S3Client) -> Stores:
    client.create_table(TableName=table, **table_definition())
    s3.create_bucket(Bucket=_BUCKET)
    return stores_on(Table(client, table), S3Requests(lambda: s3, _BUCKET))


def stores_on(table: Table, requests: S3Requests) -> Stores:
    stores = adapters.stores_on(table, requests)
    return Stores(
        **{field.name: getattr(stores, field.name) for field in fields(stores)},
        leases=DynamoDBLeaseStore(table),
        controls=DynamoDBControlStore(table),
        configuration=DynamoDBConfigStore(table),
        foreign=DynamoDBUnmanagedJobStore(table),
    )


@cache
def table_definition() -> dict[str, Any]:
    template, problems = decode(str(_TEMPLATE))
    assert problems == []
    properties = json.loads(json.dumps(template["Resources"]["Queue"]["Properties"]))
    return {name: properties[name] for name in _FOR_CREATE_TABLE}


# CloudFormation sets the other properties with other calls.
_FOR_CREATE_TABLE = ("KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "BillingMode")
