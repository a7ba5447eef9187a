"""What answers questions about jobs and carries out what is asked of them, put together as in `wiring`."""

from functools import cache

from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.queue.explanations import Explanations
from scheduler.queue.forecast import Forecasts
from scheduler.queue.job_actions import JobActions
from scheduler.queue.summary import Summaries
from scheduler.queue.warm_pools import Pools
from scheduler.wiring import shared


@cache
def explanations() -> Explanations:
    forecasts = Forecasts(shared.snapshot_reader(), shared.job_store(), SystemClock())
    return Explanations(forecasts, shared.job_store(), shared.job_queue(), pools(), shared.costs())


@cache
def pools() -> Pools:
    return Pools(shared.snapshot_reader(), shared.job_store(), SystemClock(), shared.prices())


@cache
def summaries() -> Summaries:
    return Summaries(shared.snapshot_reader(), shared.job_store(), shared.job_statuses())


@cache
def job_actions() -> JobActions:
    return JobActions(shared.job_statuses(), shared.job_store(), SystemClock(), shared.admission())
