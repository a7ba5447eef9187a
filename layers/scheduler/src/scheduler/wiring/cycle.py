"""Builds the services that run the jobs: the cycle, the checks of live attempts, the sweep report and the notifier."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from botocore.config import Config

from scheduler.adapters.aws.cloudwatch_gpus import CloudWatchAlarms, CloudWatchMetrics
from scheduler.adapters.aws.cloudwatch_logs import CloudWatchLogs
from scheduler.adapters.aws.sagemaker.automl import SageMakerAutoML
from scheduler.adapters.aws.sagemaker.processing import SageMakerProcessing
from scheduler.adapters.aws.sagemaker.rate_limited import (
    RateLimitedJobs,
    RateLimitedListedWork,
    RateLimitedTraining,
    RateLimitedWork,
    RateLimiter,
)
from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.adapters.aws.sagemaker.tuning import SageMakerTuning
from scheduler.adapters.dynamodb.changes import DynamoDBChangeStore
from scheduler.adapters.dynamodb.digests import DynamoDBDigestStore
from scheduler.adapters.dynamodb.lease.lease import DynamoDBLeaseStore
from scheduler.adapters.dynamodb.monitoring import DynamoDBQueueHeadStore, DynamoDBWarningStore
from scheduler.cycle.digests import Digests, OwnersReader
from scheduler.cycle.job_times import DeadlineWarnings
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.cycle.scheduler import Scheduler
from scheduler.cycle.services import CycleServices
from scheduler.cycle.sweep_report import SpendingAlerts, SweepReport
from scheduler.cycle.watches.check_results import CheckResults
from scheduler.cycle.watches.hangs import Hangs
from scheduler.cycle.watches.idle_gpus import IdleGpus
from scheduler.cycle.watches.nan_losses import NanLosses
from scheduler.cycle.watches.signals import Signals
from scheduler.ports.job_store import LeaseStore
from scheduler.ports.notifications import Notifier
from scheduler.wiring import shared

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

# Only one try per call: the cycle decides when to repeat a call, within SageMaker's rate limits.
_ONCE = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 1})


@cache
def scheduler() -> Scheduler:
    clock = shared.clock()
    sagemaker = shared.client("sagemaker", config=_ONCE)
    limiter = RateLimiter(clock)
    services = CycleServices(
        snapshot_reader=shared.snapshot_reader(),
        stores=shared.job_stores(),
        leases=leases(),
        training=RateLimitedTraining(SageMakerTraining(sagemaker), limiter),
        tuning=RateLimitedWork(SageMakerTuning(sagemaker, limiter), limiter),
        processing=RateLimitedListedWork(SageMakerProcessing(sagemaker), limiter),
        automl=RateLimitedJobs(SageMakerAutoML(sagemaker), limiter),
        clock=clock,
        name_mark=shared.settings().name_mark,
        admission=shared.admission(),
        notifier=notifier(),
        logs=_logs(),
        metrics=_metrics(),
        live_job_cache=live_job_cache(),
        guard=shared.settings().guard,
        unmanaged_jobs=shared.unmanaged_job_store(),
        watched_jobs=shared.unmanaged_job_store(),
        stop_objects=shared.stop_objects(),
    )
    return Scheduler(services)


@cache
def leases() -> LeaseStore:
    return DynamoDBLeaseStore(shared.table())


@cache
def idle_gpus() -> IdleGpus:
    stores, signals = shared.job_stores(), Signals(_metrics(), _logs())
    results = CheckResults(stores.jobs, notifier())
    clock, configuration = shared.clock(), shared.configuration_reader()
    return IdleGpus(
        jobs=stores.jobs,
        live_attempts=stores.live_attempts,
        live_job_cache=live_job_cache(),
        alarms=CloudWatchAlarms(_cloudwatch(), shared.settings().idle_topic),
        signals=signals,
        results=results,
        hangs=Hangs(stores.live_attempts, signals, results, clock, configuration),
        nan_losses=NanLosses(stores.live_attempts, signals, results, clock, configuration),
        clock=clock,
        configuration=configuration,
        name_mark=shared.settings().name_mark,
    )


@cache
def _cloudwatch() -> CloudWatchClient:
    client: CloudWatchClient = shared.client("cloudwatch", config=shared.BRIEF)
    return client


@cache
def _metrics() -> CloudWatchMetrics:
    return CloudWatchMetrics(_cloudwatch())


@cache
def _logs() -> CloudWatchLogs:
    return CloudWatchLogs(shared.client("logs", config=shared.BRIEF))


@cache
def live_job_cache() -> LiveJobCache:
    return LiveJobCache(shared.job_stores().live_attempts, shared.clock())


@cache
def notifier() -> Notifier:
    return shared.notices()


@cache
def sweep_report() -> SweepReport:
    return SweepReport(
        snapshot_reader=shared.snapshot_reader(),
        choice_check=shared.choice_check(),
        index=shared.job_stores().index,
        live_job_cache=live_job_cache(),
        queue_heads=DynamoDBQueueHeadStore(shared.table()),
        meter=shared.meter(),
        clock=shared.clock(),
        spending_alerts=SpendingAlerts(
            shared.spending_reader(),
            shared.configuration_reader(),
            DynamoDBWarningStore(shared.table()),
            notifier(),
            shared.clock(),
        ),
        deadline_warnings=DeadlineWarnings(shared.job_stores().jobs, shared.clock()),
        digests=_digests(),
    )


@cache
def _digests() -> Digests:
    owners = OwnersReader(shared.job_stores().index, shared.job_stores().dependencies, shared.spending_reader())
    changes, sent = DynamoDBChangeStore(shared.table()), DynamoDBDigestStore(shared.table())
    return Digests(changes, sent, owners, shared.notices(), shared.authorization(), shared.clock())
