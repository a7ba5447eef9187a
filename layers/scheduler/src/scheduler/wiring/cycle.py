"""What runs the jobs: the cycle, the watch on idle GPUs and what they tell, put together as in `wiring`."""

from functools import cache

from botocore.config import Config

from scheduler.adapters.aws.cloudwatch_gpus import CloudWatchAlarms, CloudWatchGpuMetrics
from scheduler.adapters.aws.cloudwatch_logs import CloudWatchLogs
from scheduler.adapters.aws.rate_limited_training import PacedTraining
from scheduler.adapters.aws.sagemaker_training import SageMakerTraining
from scheduler.adapters.aws.sns_notices import SnsNotices
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.lease.lease import DynamoDBLeaseStore
from scheduler.adapters.dynamodb.queue_head import DynamoDBHeadStore
from scheduler.adapters.dynamodb.spending import DynamoDBWarningStore
from scheduler.cycle.idle_gpus import IdleWatch
from scheduler.cycle.live_jobs import LiveMemory
from scheduler.cycle.reconcile.unmanaged_jobs import ForeignGuard
from scheduler.cycle.scheduler import Scheduler
from scheduler.cycle.spending import SpendingWatch
from scheduler.cycle.sweep_report import Pulse
from scheduler.ports.clock import Clock
from scheduler.ports.notifications import Notifier
from scheduler.ports.training import PacedTrainingService
from scheduler.wiring import shared

# One try: the cycle itself decides when to send a call again, at SageMaker's own rate.
_ONCE = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 1})
# Better to judge a failure without its log than to be late for the rest of the cycle.
_BRIEF = Config(connect_timeout=2, read_timeout=4, retries={"mode": "standard", "total_max_attempts": 2})


@cache
def scheduler() -> Scheduler:
    clock = SystemClock()
    training = PacedTraining(SageMakerTraining(shared.client("sagemaker", config=_ONCE)), clock)
    return Scheduler(
        observer=shared.observer(),
        store=shared.job_store(),
        leases=DynamoDBLeaseStore(shared.dynamodb(), shared.settings().table_name),
        training=training,
        clock=clock,
        name_mark=shared.settings().name_mark,
        gate=shared.gate(),
        guard=_foreign_guard(training, clock),
        notifier=notifier(),
        logs=CloudWatchLogs(shared.client("logs", config=_BRIEF)),
        memory=live_memory(),
        spending=shared.spending_book(),
    )


def _foreign_guard(training: PacedTrainingService, clock: Clock) -> ForeignGuard:
    settings, store, gate = shared.settings(), shared.job_store(), shared.gate()
    return ForeignGuard(settings.guard, shared.foreign_store(), store, training, gate, notifier(), clock)


@cache
def idle_watch() -> IdleWatch:
    cloudwatch = shared.client("cloudwatch", config=shared.PATIENT)
    return IdleWatch(
        store=shared.job_store(),
        memory=live_memory(),
        alarms=CloudWatchAlarms(cloudwatch, shared.settings().idle_topic),
        metrics=CloudWatchGpuMetrics(cloudwatch),
        notifier=notifier(),
        clock=SystemClock(),
        rule=shared.settings().idle,
        name_mark=shared.settings().name_mark,
    )


@cache
def live_memory() -> LiveMemory:
    return LiveMemory(shared.job_store(), SystemClock())


@cache
def notifier() -> Notifier:
    sns = shared.client("sns", config=shared.PATIENT)
    return SnsNotices(sns, shared.settings().notice_topic, shared.settings().notify_on, shared.settings().policy.teams)


@cache
def pulse() -> Pulse:
    heads = DynamoDBHeadStore(shared.dynamodb(), shared.settings().table_name)
    store, meter = shared.job_store(), shared.meter()
    return Pulse(shared.observer(), store, live_memory(), heads, meter, SystemClock(), _spending_watch())


def _spending_watch() -> SpendingWatch:
    warnings = DynamoDBWarningStore(shared.dynamodb(), shared.settings().table_name)
    return SpendingWatch(shared.spending_book(), warnings, notifier(), SystemClock())
