"""One of the ways in which a job may run: its request, or an alternative that its user gave beside it."""

from attrs import frozen

from scheduler.domain.demand import Demand


@frozen
class Choice:
    demand: Demand
    max_runtime: int  # seconds
    spot: bool = False
    wait_for_better: int = 0  # seconds that those before it are waited for
    keep_alive: int = 0  # these two as in Job
    pool_key: str = ""
