"""Builds, on first use in a warm function, what a submission needs and the stores that all functions share."""

import logging
import os
from dataclasses import replace
from functools import cache
from typing import Any

import botocore.session
from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging import utils
from botocore.config import Config

from scheduler.adapters.aws.embedded_metrics import EmbeddedMetrics
from scheduler.adapters.aws.request_model import refuse_invalid
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.config_store import DynamoDBControlStore, DynamoDBDocumentStore
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.stores import stores_on
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.unmanaged_jobs import DynamoDBUnmanagedJobStore
from scheduler.admission.admission import Admission
from scheduler.admission.authorization import Authorization
from scheduler.core.documents.document import DocumentKind
from scheduler.core.spending.prices.price_snapshot import known_in
from scheduler.observe.budget_schedule import BudgetSchedule
from scheduler.observe.prices import Prices
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ControlStore, DocumentStore
from scheduler.ports.job_store import JobStores, UnmanagedJobStore
from scheduler.ports.monitoring import Meter
from scheduler.queue.costs import Costs
from scheduler.queue.job_status import JobStatusReader
from scheduler.queue.submission import Submissions
from scheduler.settings import Settings, metrics_level_of

# Far below the function's timeout, so that a hanging call fails visibly.
PATIENT = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 4})


@cache
def logger() -> Logger:
    """Returns the structured logger, which the scheduler package uses too."""
    log = Logger()
    utils.copy_config_to_registered_loggers(source_logger=log, include={"scheduler"})
    logging.getLogger("scheduler").setLevel(log.log_level)
    return log


@cache
def settings() -> Settings:
    return Settings.from_env(os.environ)


@cache
def job_stores(*, consistent: bool = True) -> JobStores:
    return stores_on(replace(table(), consistent=consistent), S3Requests(s3, settings().body_bucket))


@cache
def control_store() -> ControlStore:
    return DynamoDBControlStore(table())


@cache
def snapshot_reader() -> SnapshotReader:
    configured, stores = settings(), job_stores()
    documents = (document_store(DocumentKind.POOL_RULES), prices(), spending_reader())
    return SnapshotReader(
        stores.index,
        stores.live_attempts,
        stores.pools,
        stores.learned,
        stores.state,
        control_store(),
        configured.budget,
        configured.policy,
        SystemClock(),
        budget_schedule(),
        configured.budget_scope,
        *documents,
    )


@cache
def budget_schedule() -> BudgetSchedule:
    return BudgetSchedule(document_store(DocumentKind.CALENDAR))


@cache
def document_store(kind: DocumentKind) -> DocumentStore:
    return DynamoDBDocumentStore(table(), kind)


@cache
def job_status_reader() -> JobStatusReader:
    # Most of an answer comes from a lagging index anyway.
    lagging, stores = job_stores(consistent=False), job_stores()
    answering = replace(
        snapshot_reader(),
        index=lagging.index,
        live_attempts=lagging.live_attempts,
        pools=lagging.pools,
        learned=lagging.learned,
        state=lagging.state,
    )
    return JobStatusReader(answering, stores.index, stores.live_attempts, SystemClock(), settings().name_mark)


@cache
def prices() -> Prices:
    region = os.environ.get("AWS_REGION", "a region that is not known")
    return Prices(document_store(DocumentKind.PRICES), known_in(region))


@cache
def spending_reader() -> SpendingReader:
    documents, teams = document_store(DocumentKind.SPENDING), settings().policy.teams
    return SpendingReader(documents, job_stores().learned, prices(), teams, SystemClock())


@cache
def costs() -> Costs:
    return Costs(job_stores().learned, prices(), SystemClock())


@cache
def authorization() -> Authorization:
    return Authorization(document_store(DocumentKind.CALLERS), settings().callers)


@cache
def admission() -> Admission:
    return Admission(document_store(DocumentKind.RULES), authorization(), settings().policy.teams)


@cache
def submissions() -> Submissions:
    jobs, index = job_stores().jobs, job_stores().index
    return Submissions(snapshot_reader(), jobs, index, SystemClock(), job_status_reader(), refuse_invalid, admission())


@cache
def unmanaged_job_store() -> UnmanagedJobStore:
    return DynamoDBUnmanagedJobStore(table())


@cache
def clock() -> Clock:
    return SystemClock()


@cache
def meter() -> Meter:
    return EmbeddedMetrics(metrics_level_of(os.environ), settings().name_mark)


@cache
def table() -> Table:
    return Table(client("dynamodb", config=PATIENT), settings().table_name)


@cache
def s3() -> Any:
    return client("s3", config=PATIENT)


def client(service: str, config: Config) -> Any:
    """Returns botocore's client, as boto3 would make it: the layer has no boto3."""
    return _session().create_client(service, config=config)


@cache
def _session() -> botocore.session.Session:
    return botocore.session.get_session()
