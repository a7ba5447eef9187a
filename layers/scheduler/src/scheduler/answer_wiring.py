"""What answers questions about jobs and carries out what is asked of them, put together as in `wiring`."""

from functools import cache

from scheduler import wiring
from scheduler.adapters.system_clock import SystemClock
from scheduler.explanations import Explanations
from scheduler.job_control import JobControl
from scheduler.outlook import Outlook
from scheduler.overview import Overviews
from scheduler.pools import Pools


@cache
def explanations() -> Explanations:
    outlook = Outlook(wiring.observer(), wiring.job_store(), SystemClock())
    return Explanations(outlook, wiring.job_store(), wiring.job_queue(), pools(), wiring.costs())


@cache
def pools() -> Pools:
    return Pools(wiring.observer(), wiring.job_store(), SystemClock(), wiring.prices())


@cache
def overviews() -> Overviews:
    return Overviews(wiring.observer(), wiring.job_store(), wiring.standings())


@cache
def job_control() -> JobControl:
    return JobControl(wiring.standings(), wiring.job_store(), SystemClock(), wiring.gate())
