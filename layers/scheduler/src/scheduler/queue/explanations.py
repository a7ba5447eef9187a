"""Explains why a job waits, and what would happen to a submission."""

from dataclasses import dataclass

from scheduler.core.jobs.job import Job
from scheduler.core.planner.explanation import Explanation, Forecast
from scheduler.core.planner.start_estimates import StartEstimate
from scheduler.core.spending.prices.cost import CostRange
from scheduler.ports.job_store import JobStore
from scheduler.queue.costs import Costs
from scheduler.queue.forecast import ForecastReader
from scheduler.queue.job_lookup import job_named
from scheduler.queue.submission import Submission, Submissions
from scheduler.queue.warm_pools import Misfit, WarmPoolReader

_NOT_BY_ITSELF = StartEstimate(earliest=None, latest=None, after="")


@dataclass(frozen=True, slots=True)
class Explanations:
    forecast_reader: ForecastReader
    jobs: JobStore
    submissions: Submissions
    warm_pool_reader: WarmPoolReader
    costs: Costs

    def explain(self, name: str) -> tuple[Job, Explanation | None, tuple[Misfit, ...]]:
        """Returns the job, an explanation if it waits, and the warm pools that it does not fit. Raises UnknownJob."""
        job = job_named(self.jobs, name)
        return job, self.forecast_reader.of(job), self.warm_pool_reader.misfits(job)

    def forecast(self, submission: Submission, caller: str) -> tuple[Forecast, CostRange]:
        """Returns the forecast and the cost range of a submission, without storing it.

        Raises the BadRequest that the submission would get.
        """
        job = self.submissions.preview(submission, caller)
        if not job.is_queued:
            forecast = Forecast(
                starts_now=False, behind=0, preempts=(), reason=job.status.reason, starts=_NOT_BY_ITSELF
            )
        else:
            forecast = self.forecast_reader.if_submitted(job)
        return forecast, self.costs.range_of(job)
