"""What jobs cost, and may cost, at the prices in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from scheduler.domain.cost_range import CostRange, cost_range
from scheduler.domain.job import Job
from scheduler.domain.past import EVERYBODY
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.prices import Prices

if TYPE_CHECKING:
    from scheduler.domain.attempt import Attempt
    from scheduler.domain.cost import JobCost


@frozen
class Costs:
    store: JobStore
    prices: Prices
    clock: Clock

    def of(self, job: Job, live: Attempt | None) -> JobCost:
        """Of all its attempts up to now; `live` is the one that has not ended."""
        from scheduler.domain.cost import cost_of_job  # here, for a submission asks only what may become of it

        return cost_of_job(job, live, self.prices.now(), self.clock.now())

    def range_of(self, job: Job) -> CostRange:
        """What it may cost, by what is remembered of jobs like it."""
        past = self.store.recall({EVERYBODY, job.hand}, (), lately=True)
        return cost_range(job, past.history_for(job.each_choice), self.prices.now())
