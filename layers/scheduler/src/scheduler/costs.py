"""What jobs cost, and may cost, at the prices in force."""

from dataclasses import dataclass

from scheduler.domain.attempt import Attempt
from scheduler.domain.cost import CostRange, JobCost, cost_of_job, cost_range
from scheduler.domain.job import Job
from scheduler.domain.past import EVERYBODY
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.prices import Prices


@dataclass(frozen=True, slots=True)
class Costs:
    store: JobStore
    prices: Prices
    clock: Clock

    def of(self, job: Job, live: Attempt | None) -> JobCost:
        """Of all its attempts up to now; `live` is the one that has not ended."""
        return cost_of_job(job, live, self.prices.now(), self.clock.now())

    def range_of(self, job: Job) -> CostRange:
        """What it may cost, by what is remembered of jobs like it."""
        past = self.store.recall({EVERYBODY, job.hand}, (), lately=True)
        return cost_range(job, past.history_for(job.each_choice), self.prices.now())
