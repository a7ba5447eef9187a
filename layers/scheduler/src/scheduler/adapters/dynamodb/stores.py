"""Builds all job stores of one queue, which share one table."""

from scheduler.adapters.dynamodb.callbacks import DynamoDBCallbackStore
from scheduler.adapters.dynamodb.jobs.arrays import DynamoDBArrayStore
from scheduler.adapters.dynamodb.jobs.dependencies import DynamoDBDependencies
from scheduler.adapters.dynamodb.jobs.index import DynamoDBJobIndex
from scheduler.adapters.dynamodb.jobs.learned import DynamoDBLearnedStore
from scheduler.adapters.dynamodb.jobs.live_attempts import DynamoDBLiveAttempts
from scheduler.adapters.dynamodb.jobs.reservations import DynamoDBReservations
from scheduler.adapters.dynamodb.jobs.scheduler_state import DynamoDBSchedulerState
from scheduler.adapters.dynamodb.jobs.store import DynamoDBJobStore
from scheduler.adapters.dynamodb.jobs.warm_pools import DynamoDBWarmPoolStore
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.table import Table
from scheduler.ports.job_store import JobStores


def stores_on(table: Table, requests: S3Requests) -> JobStores:
    live_attempts = DynamoDBLiveAttempts(table)
    return JobStores(
        DynamoDBJobStore(table, requests),
        DynamoDBJobIndex(table, live_attempts),
        live_attempts,
        DynamoDBReservations(table),
        DynamoDBWarmPoolStore(table),
        DynamoDBLearnedStore(table),
        DynamoDBSchedulerState(table),
        DynamoDBCallbackStore(table),
        DynamoDBDependencies(table),
        DynamoDBArrayStore(table, requests),
    )
