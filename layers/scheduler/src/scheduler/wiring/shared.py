"""Builds the services that a submission needs and the stores that all functions share, once per warm function."""

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
from scheduler.adapters.aws.notices.sns_notices import NoticeTopics, SnsNotices
from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid
from scheduler.adapters.aws.stop_objects import S3StopObjects
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.aws.user_pool import UserPool
from scheduler.adapters.dynamodb.config_store import DynamoDBConfigStore, DynamoDBControlStore
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.stores import stores_on
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.unmanaged_jobs import DynamoDBUnmanagedJobStore
from scheduler.admission.admission import Admission
from scheduler.admission.authorization import Authorization
from scheduler.admission.choice_check import ChoiceCheck
from scheduler.core.callers.hosted_page import HostedPage
from scheduler.core.configuration.kinds import Stack
from scheduler.core.history.callbacks.callback import AllowedCallbacks
from scheduler.core.requests.stop_notice.variables import NoticeBucket
from scheduler.core.spending.prices.price_snapshot import known_in
from scheduler.observe.configuration import ConfigurationReader
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import ConfigStore, ControlStore
from scheduler.ports.job_store import JobStores
from scheduler.ports.monitoring import Meter
from scheduler.ports.people import People
from scheduler.ports.stop_objects import StopObjects
from scheduler.queue.costs import Costs
from scheduler.queue.job_status import JobStatusReader
from scheduler.queue.submission import Submissions
from scheduler.settings import Settings, callbacks_are_on, hosted_page_of, metrics_level_of

# Far below the function's timeout, so that a hanging call fails visibly.
PATIENT = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 4})
# For calls that must not delay the cycle. If they fail, a failure is classified without its log, the next sweep sets an
# alarm, or a job starts without a stop notice.
BRIEF = Config(connect_timeout=2, read_timeout=4, retries={"mode": "standard", "total_max_attempts": 2})


@cache
def logger() -> Logger:
    """Returns the structured logger, which the scheduler package uses too."""
    log = Logger(use_rfc3339=True)  # Lambda and CloudWatch understand this time format
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
def configuration_reader() -> ConfigurationReader:
    return ConfigurationReader(config_store(), stack_of(settings()))


def stack_of(settings: Settings) -> Stack:
    prices = known_in(os.environ.get("AWS_REGION", "a region that is not known"))
    return Stack(settings.budget, prices, settings.webhook_hosts)


@cache
def config_store() -> ConfigStore:
    return DynamoDBConfigStore(table())


@cache
def snapshot_reader() -> SnapshotReader:
    stores = job_stores()
    return SnapshotReader(
        stores.index,
        stores.live_attempts,
        stores.pools,
        stores.learned,
        stores.state,
        control_store(),
        configuration_reader(),
        spending_reader(),
        clock(),
        settings().budget_scope,
    )


@cache
def job_status_reader() -> JobStatusReader:
    # Consistent reads would not help: most of an answer comes from an index that lags anyway.
    lagging, stores = job_stores(consistent=False), job_stores()
    answering = replace(
        snapshot_reader(),
        index=lagging.index,
        live_attempts=lagging.live_attempts,
        pools=lagging.pools,
        learned=lagging.learned,
        state=lagging.state,
    )
    return JobStatusReader(answering, choice_check(), stores.index, stores.live_attempts, clock(), settings().name_mark)


@cache
def spending_reader() -> SpendingReader:
    return SpendingReader(job_stores().learned, configuration_reader().stack.prices, clock())


@cache
def costs() -> Costs:
    return Costs(job_stores().learned, configuration_reader(), clock())


@cache
def authorization() -> Authorization:
    return Authorization(configuration_reader(), settings().callers)


@cache
def hosted_page() -> HostedPage | None:
    return hosted_page_of(os.environ)


@cache
def people() -> People | None:
    """Returns the people of the hosted page; None if there is none."""
    page = hosted_page()
    return UserPool(client("cognito-idp", config=BRIEF), page.user_pool, clock()) if page else None


@cache
def admission() -> Admission:
    return Admission(configuration_reader(), authorization())


@cache
def choice_check() -> ChoiceCheck:
    return ChoiceCheck(admission(), configuration_reader(), job_stores().jobs.requests_of, clock())


@cache
def submissions() -> Submissions:
    stores = job_stores()
    return Submissions(
        snapshot_reader(),
        stores.jobs,
        stores.dependencies,
        stores.index,
        clock(),
        job_status_reader(),
        refuse_invalid,
        admission(),
        stores.callbacks,
        AllowedCallbacks(callbacks_are_on(os.environ), settings().webhook_hosts),
    )


@cache
def s3_in_brief() -> Any:
    return client("s3", config=BRIEF)


@cache
def stop_objects() -> StopObjects:
    bucket = NoticeBucket(settings().body_bucket, os.environ.get("AWS_REGION", ""))
    return S3StopObjects(s3_in_brief, bucket)


@cache
def unmanaged_job_store() -> DynamoDBUnmanagedJobStore:
    return DynamoDBUnmanagedJobStore(table())


@cache
def notices() -> SnsNotices:
    topics = NoticeTopics(owners=settings().notice_topic, selected=settings().mail_topic)
    return SnsNotices(client("sns", config=PATIENT), topics, configuration_reader().current)


@cache
def clock() -> Clock:
    """Returns the function's only clock, so that all services agree on the time."""
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
    """Returns a botocore client like the client that boto3 would make: the layer does not include boto3."""
    return _session().create_client(service, config=config)


@cache
def _session() -> botocore.session.Session:
    return botocore.session.get_session()
