"""Computes jobs' costs so far, and estimates their possible costs, at current prices."""

from dataclasses import dataclass

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.planner.learned import ALL_OWNERS
from scheduler.core.spending.prices.cost import CostRange, JobCost, cost_of_job, cost_range
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import LearnedStore


@dataclass(frozen=True, slots=True)
class Costs:
    learned: LearnedStore
    configuration: ConfigurationReader
    clock: Clock

    def of(self, job: Job, live: Attempt | None) -> JobCost:
        """Returns the cost so far of all the job's attempts. `live` is the attempt that has not ended, if any."""
        return cost_of_job(job, live, self.configuration.prices(), self.clock.now())

    def range_of(self, job: Job) -> CostRange:
        """Returns the range of the job's possible cost, estimated from past runs of similar jobs."""
        learned = self.learned.read_learned({ALL_OWNERS, job.owner_key}, (), consistent=False)
        return cost_range(job, learned.runtime_stats_for(job.each_choice), self.configuration.prices())
