"""What answers questions about jobs and carries out what is asked of them, put together as in `wiring`."""

from functools import cache

from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.queue.explanations import Explanations
from scheduler.queue.forecast import Outlook
from scheduler.queue.job_actions import JobControl
from scheduler.queue.summary import Overviews
from scheduler.queue.warm_pools import Pools
from scheduler.wiring import shared


@cache
def explanations() -> Explanations:
    outlook = Outlook(shared.observer(), shared.job_store(), SystemClock())
    return Explanations(outlook, shared.job_store(), shared.job_queue(), pools(), shared.costs())


@cache
def pools() -> Pools:
    return Pools(shared.observer(), shared.job_store(), SystemClock(), shared.prices())


@cache
def overviews() -> Overviews:
    return Overviews(shared.observer(), shared.job_store(), shared.standings())


@cache
def job_control() -> JobControl:
    return JobControl(shared.standings(), shared.job_store(), SystemClock(), shared.gate())
