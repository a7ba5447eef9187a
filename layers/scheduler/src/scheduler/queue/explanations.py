"""Why a job is where it is, and what would become of a submission."""

from attrs import frozen

from scheduler.core.jobs.job import Job
from scheduler.core.planner.forecast.explanation import Explanation, Forecast
from scheduler.core.planner.forecast.start_estimates import Starts
from scheduler.core.spending.prices.cost_range import CostRange
from scheduler.ports.job_store import JobStore
from scheduler.queue.costs import Costs
from scheduler.queue.forecast import Forecasts
from scheduler.queue.job_lookup import named
from scheduler.queue.submission import JobQueue, Submission
from scheduler.queue.warm_pools import Misfit, Pools

_NOT_BY_ITSELF = Starts(earliest=None, latest=None, after="")


@frozen
class Explanations:
    forecasts: Forecasts
    store: JobStore
    queue: JobQueue
    pools: Pools
    costs: Costs

    def why(self, name: str) -> tuple[Job, Explanation | None, tuple[Misfit, ...]]:
        """The job, an explanation if it waits, and the warm pools that it does not fit. Raises UnknownJob."""
        job = named(self.store, name)
        return job, self.forecasts.of(job), self.pools.misfits(job)

    def what_if(self, submission: Submission, caller: str) -> tuple[Forecast, CostRange]:
        """What would become of it, and what it may cost; nothing is stored.

        Raises the BadRequest that a submission would get.
        """
        job = self.queue.judge(submission, caller)
        if not job.is_queued:
            forecast = Forecast(starts_now=False, behind=0, preempts=(), reason=job.reason, starts=_NOT_BY_ITSELF)
        else:
            forecast = self.forecasts.if_submitted(job)
        return forecast, self.costs.range_of(job)
