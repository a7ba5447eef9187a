"""The one place that knows which adapters the functions run with: built on first use, kept while a function is warm."""

from __future__ import annotations

import logging
import os
from functools import cache
from typing import TYPE_CHECKING

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging import utils
from botocore.config import Config

from scheduler.access import Access
from scheduler.adapters.cloudwatch_gpus import CloudWatchAlarms, CloudWatchGpuMetrics
from scheduler.adapters.cloudwatch_logs import CloudWatchLogs
from scheduler.adapters.dynamodb_controls import DynamoDBControlStore
from scheduler.adapters.dynamodb_documents import DynamoDBDocumentStore
from scheduler.adapters.dynamodb_foreign import DynamoDBForeignStore
from scheduler.adapters.dynamodb_jobs import DynamoDBJobStore
from scheduler.adapters.dynamodb_lease import DynamoDBLeaseStore
from scheduler.adapters.paced_training import PacedTraining
from scheduler.adapters.request_model import refuse_invalid
from scheduler.adapters.s3_requests import S3Requests
from scheduler.adapters.sagemaker_training import SageMakerTraining
from scheduler.adapters.sns_notices import SnsNotices
from scheduler.adapters.system_clock import SystemClock
from scheduler.caller_book import CallerBook
from scheduler.cycle import Scheduler
from scheduler.document_book import DocumentBook
from scheduler.domain.document import DocumentKind
from scheduler.explanations import Explanations
from scheduler.foreign_guard import ForeignGuard
from scheduler.gate import Gate
from scheduler.idle_watch import IdleWatch
from scheduler.job_control import JobControl
from scheduler.job_queue import JobQueue
from scheduler.observing import Observer
from scheduler.outlook import Outlook
from scheduler.overview import Overviews
from scheduler.ports import ControlStore, DocumentStore, ForeignStore, JobStore, Notifier
from scheduler.queue_control import QueueControl
from scheduler.refusals import StaleCallers, StaleRules
from scheduler.rule_book import RuleBook
from scheduler.settings import Settings
from scheduler.standings import Standings

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# Far below the function's timeout, so that a hanging call is seen and not cut off.
_PATIENT = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 4})
# One try: the cycle itself decides when to send a call again, at SageMaker's own rate.
_ONCE = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 1})
# Better to judge a failure without its log than to be late for the rest of the cycle.
_BRIEF = Config(connect_timeout=2, read_timeout=4, retries={"mode": "standard", "total_max_attempts": 2})


@cache
def logger() -> Logger:
    """Structured logs; the scheduler package logs through it too."""
    log = Logger()
    utils.copy_config_to_registered_loggers(source_logger=log, include={"scheduler"})
    logging.getLogger("scheduler").setLevel(log.log_level)
    return log


@cache
def settings() -> Settings:
    return Settings.from_env(os.environ)


@cache
def job_store() -> JobStore:
    bodies = S3Requests(boto3.client("s3", config=_PATIENT), settings().body_bucket)
    return DynamoDBJobStore(dynamodb(), settings().table_name, bodies)


@cache
def control_store() -> ControlStore:
    return DynamoDBControlStore(dynamodb(), settings().table_name)


@cache
def observer() -> Observer:
    return Observer(
        job_store(), control_store(), settings().budget, settings().policy, SystemClock(), settings().budget_scope
    )


@cache
def standings() -> Standings:
    return Standings(observer(), job_store(), SystemClock(), settings().name_mark)


@cache
def rule_store() -> DocumentStore:
    return DynamoDBDocumentStore(dynamodb(), settings().table_name, DocumentKind.RULES)


@cache
def caller_store() -> DocumentStore:
    return DynamoDBDocumentStore(dynamodb(), settings().table_name, DocumentKind.CALLERS)


@cache
def access() -> Access:
    return Access(caller_store(), settings().callers)


@cache
def gate() -> Gate:
    return Gate(rule_store(), access(), settings().policy.teams)


@cache
def rule_book() -> RuleBook:
    book = DocumentBook(rule_store(), SystemClock(), StaleRules)
    return RuleBook(book, job_store(), gate(), SystemClock())


@cache
def caller_book() -> CallerBook:
    return CallerBook(DocumentBook(caller_store(), SystemClock(), StaleCallers), job_store(), access(), SystemClock())


@cache
def job_queue() -> JobQueue:
    return JobQueue(observer(), job_store(), SystemClock(), standings(), refuse_invalid, gate())


@cache
def explanations() -> Explanations:
    return Explanations(Outlook(observer(), job_store(), SystemClock()), job_store(), job_queue())


@cache
def overviews() -> Overviews:
    return Overviews(observer(), job_store(), standings())


@cache
def job_control() -> JobControl:
    return JobControl(standings(), job_store(), SystemClock(), gate())


@cache
def queue_control() -> QueueControl:
    return QueueControl(control_store(), settings().budget)


@cache
def foreign_store() -> ForeignStore:
    return DynamoDBForeignStore(dynamodb(), settings().table_name)


@cache
def scheduler() -> Scheduler:
    clock = SystemClock()
    training = PacedTraining(SageMakerTraining(boto3.client("sagemaker", config=_ONCE)), clock)
    return Scheduler(
        observer=observer(),
        store=job_store(),
        leases=DynamoDBLeaseStore(dynamodb(), settings().table_name),
        training=training,
        clock=clock,
        name_mark=settings().name_mark,
        gate=gate(),
        guard=ForeignGuard(settings().guard, foreign_store(), job_store(), training, gate(), notifier(), clock),
        notifier=notifier(),
        logs=CloudWatchLogs(boto3.client("logs", config=_BRIEF)),
    )


@cache
def idle_watch() -> IdleWatch:
    cloudwatch = boto3.client("cloudwatch", config=_PATIENT)
    return IdleWatch(
        store=job_store(),
        alarms=CloudWatchAlarms(cloudwatch, settings().idle_topic),
        metrics=CloudWatchGpuMetrics(cloudwatch),
        notifier=notifier(),
        clock=SystemClock(),
        rule=settings().idle,
        name_mark=settings().name_mark,
    )


@cache
def notifier() -> Notifier:
    client = boto3.client("sns", config=_PATIENT)
    return SnsNotices(client, settings().notice_topic, settings().notify_on, settings().policy.teams)


@cache
def dynamodb() -> DynamoDBClient:
    return boto3.client("dynamodb", config=_PATIENT)
