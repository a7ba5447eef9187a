"""Builds the services for users' requests about jobs, apart from submissions."""

from functools import cache

from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid_text
from scheduler.queue.arrays import Arrays
from scheduler.queue.bulk_actions import BulkActions
from scheduler.queue.children_to_come import ChildrenToCome
from scheduler.queue.explanations import Explanations, ForecastReader
from scheduler.queue.job_actions import JobActions
from scheduler.queue.job_queries import JobQueries
from scheduler.queue.summary import SummaryReader
from scheduler.queue.warm_pools import WarmPoolReader
from scheduler.wiring import shared


@cache
def explanations() -> Explanations:
    forecast_reader = ForecastReader(
        shared.snapshot_reader(), shared.choice_check(), shared.job_stores().index, shared.clock()
    )
    jobs = shared.job_stores().jobs
    return Explanations(
        forecast_reader, jobs, shared.submissions(), warm_pool_reader(), shared.costs(), children_to_come()
    )


@cache
def warm_pool_reader() -> WarmPoolReader:
    reader, stores = shared.snapshot_reader(), shared.job_stores()
    return WarmPoolReader(reader, stores.jobs, stores.pools, stores.state, shared.clock())


@cache
def summary_reader() -> SummaryReader:
    reader, stores = shared.snapshot_reader(), shared.job_stores()
    return SummaryReader(reader, stores.index, stores.learned, shared.job_status_reader())


@cache
def job_queries() -> JobQueries:
    reader, stores, status = shared.snapshot_reader(), shared.job_stores(), shared.job_status_reader()
    return JobQueries(reader, stores.jobs, stores.index, shared.clock(), status, shared.admission(), children_to_come())


@cache
def job_actions() -> JobActions:
    stores = shared.job_stores()
    return JobActions(stores.jobs, stores.index, stores.arrays, shared.clock(), shared.admission())


@cache
def arrays() -> Arrays:
    return Arrays(shared.job_stores().arrays, shared.submissions(), refuse_invalid_text)


@cache
def children_to_come() -> ChildrenToCome:
    return ChildrenToCome(shared.job_stores().arrays)


@cache
def bulk_actions() -> BulkActions:
    return BulkActions(job_actions(), shared.job_stores().index, shared.clock())
