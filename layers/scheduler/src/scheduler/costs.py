"""What jobs may cost, at the prices in force."""

from attrs import frozen

from scheduler.domain.cost_range import CostRange, cost_range
from scheduler.domain.job import Job
from scheduler.domain.past import EVERYBODY
from scheduler.ports.job_store import JobStore
from scheduler.prices import Prices


@frozen
class Costs:
    store: JobStore
    prices: Prices

    def range_of(self, job: Job) -> CostRange:
        """By what is remembered of jobs like it."""
        past = self.store.recall({EVERYBODY, job.hand}, (), lately=True)
        return cost_range(job, past.history_for(job.each_choice), self.prices.now())
