"""What runs the jobs: the cycle, the watch on idle GPUs and what they tell, put together as in `wiring`."""

from functools import cache

from botocore.config import Config

from scheduler import wiring
from scheduler.adapters.cloudwatch_gpus import CloudWatchAlarms, CloudWatchGpuMetrics
from scheduler.adapters.cloudwatch_logs import CloudWatchLogs
from scheduler.adapters.dynamodb_head import DynamoDBHeadStore
from scheduler.adapters.dynamodb_lease import DynamoDBLeaseStore
from scheduler.adapters.dynamodb_warnings import DynamoDBWarningStore
from scheduler.adapters.paced_training import PacedTraining
from scheduler.adapters.sagemaker_training import SageMakerTraining
from scheduler.adapters.sns_notices import SnsNotices
from scheduler.adapters.system_clock import SystemClock
from scheduler.cycle import Scheduler
from scheduler.foreign_guard import ForeignGuard
from scheduler.idle_watch import IdleWatch
from scheduler.live_memory import LiveMemory
from scheduler.ports.clock import Clock
from scheduler.ports.listeners import Notifier
from scheduler.ports.training import PacedTrainingService
from scheduler.pulse import Pulse
from scheduler.spending_watch import SpendingWatch

# One try: the cycle itself decides when to send a call again, at SageMaker's own rate.
_ONCE = Config(connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 1})
# Better to judge a failure without its log than to be late for the rest of the cycle.
_BRIEF = Config(connect_timeout=2, read_timeout=4, retries={"mode": "standard", "total_max_attempts": 2})


@cache
def scheduler() -> Scheduler:
    clock = SystemClock()
    training = PacedTraining(SageMakerTraining(wiring.client("sagemaker", config=_ONCE)), clock)
    return Scheduler(
        observer=wiring.observer(),
        store=wiring.job_store(),
        leases=DynamoDBLeaseStore(wiring.dynamodb(), wiring.settings().table_name),
        training=training,
        clock=clock,
        name_mark=wiring.settings().name_mark,
        gate=wiring.gate(),
        guard=_foreign_guard(training, clock),
        notifier=notifier(),
        logs=CloudWatchLogs(wiring.client("logs", config=_BRIEF)),
        memory=live_memory(),
        spending=wiring.spending_book(),
    )


def _foreign_guard(training: PacedTrainingService, clock: Clock) -> ForeignGuard:
    settings, store, gate = wiring.settings(), wiring.job_store(), wiring.gate()
    return ForeignGuard(settings.guard, wiring.foreign_store(), store, training, gate, notifier(), clock)


@cache
def idle_watch() -> IdleWatch:
    cloudwatch = wiring.client("cloudwatch", config=wiring.PATIENT)
    return IdleWatch(
        store=wiring.job_store(),
        memory=live_memory(),
        alarms=CloudWatchAlarms(cloudwatch, wiring.settings().idle_topic),
        metrics=CloudWatchGpuMetrics(cloudwatch),
        notifier=notifier(),
        clock=SystemClock(),
        rule=wiring.settings().idle,
        name_mark=wiring.settings().name_mark,
    )


@cache
def live_memory() -> LiveMemory:
    return LiveMemory(wiring.job_store(), SystemClock())


@cache
def notifier() -> Notifier:
    sns = wiring.client("sns", config=wiring.PATIENT)
    return SnsNotices(sns, wiring.settings().notice_topic, wiring.settings().notify_on, wiring.settings().policy.teams)


@cache
def pulse() -> Pulse:
    heads = DynamoDBHeadStore(wiring.dynamodb(), wiring.settings().table_name)
    store, meter = wiring.job_store(), wiring.meter()
    return Pulse(wiring.observer(), store, live_memory(), heads, meter, SystemClock(), _spending_watch())


def _spending_watch() -> SpendingWatch:
    warnings = DynamoDBWarningStore(wiring.dynamodb(), wiring.settings().table_name)
    return SpendingWatch(wiring.spending_book(), warnings, notifier(), SystemClock())
