"""Builds the services for users' requests about jobs, apart from submissions."""

from functools import cache

from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.queue.explanations import Explanations, ForecastReader
from scheduler.queue.job_actions import JobActions
from scheduler.queue.job_queries import JobQueries
from scheduler.queue.summary import SummaryReader
from scheduler.queue.warm_pools import WarmPoolReader
from scheduler.wiring import shared


@cache
def explanations() -> Explanations:
    forecast_reader = ForecastReader(shared.snapshot_reader(), shared.job_stores().index, SystemClock())
    jobs = shared.job_stores().jobs
    return Explanations(forecast_reader, jobs, shared.submissions(), warm_pool_reader(), shared.costs())


@cache
def warm_pool_reader() -> WarmPoolReader:
    reader, stores = shared.snapshot_reader(), shared.job_stores()
    return WarmPoolReader(reader, stores.jobs, stores.pools, stores.state, SystemClock(), shared.prices())


@cache
def summary_reader() -> SummaryReader:
    reader, stores = shared.snapshot_reader(), shared.job_stores()
    return SummaryReader(reader, stores.index, stores.learned, shared.job_status_reader())


@cache
def job_queries() -> JobQueries:
    # One clock for both, so that what a process accepts and what it lists agree on the time.
    clock = shared.submissions().clock
    reader, stores, status = shared.snapshot_reader(), shared.job_stores(), shared.job_status_reader()
    return JobQueries(reader, stores.jobs, stores.index, clock, status, shared.admission())


@cache
def job_actions() -> JobActions:
    stores = shared.job_stores()
    return JobActions(shared.job_status_reader(), stores.jobs, stores.index, SystemClock(), shared.admission())
