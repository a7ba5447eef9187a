"""Builds the services for users' requests about jobs, apart from submissions."""

from functools import cache

from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.queue.explanations import Explanations
from scheduler.queue.forecast import ForecastReader
from scheduler.queue.job_actions import JobActions
from scheduler.queue.job_queries import JobQueries
from scheduler.queue.summary import SummaryReader
from scheduler.queue.warm_pools import WarmPoolReader
from scheduler.wiring import shared


@cache
def explanations() -> Explanations:
    forecast_reader = ForecastReader(shared.snapshot_reader(), shared.job_store(), SystemClock())
    return Explanations(forecast_reader, shared.job_store(), shared.submissions(), warm_pool_reader(), shared.costs())


@cache
def warm_pool_reader() -> WarmPoolReader:
    return WarmPoolReader(shared.snapshot_reader(), shared.job_store(), SystemClock(), shared.prices())


@cache
def summary_reader() -> SummaryReader:
    return SummaryReader(shared.snapshot_reader(), shared.job_store(), shared.job_status_reader())


@cache
def job_queries() -> JobQueries:
    # One clock for both, so that what a process accepts and what it lists agree on the time.
    clock = shared.submissions().clock
    return JobQueries(
        shared.snapshot_reader(), shared.job_store(), clock, shared.job_status_reader(), shared.admission()
    )


@cache
def job_actions() -> JobActions:
    return JobActions(shared.job_status_reader(), shared.job_store(), SystemClock(), shared.admission())
