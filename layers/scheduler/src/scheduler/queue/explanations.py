"""Explains why a job waits and when it may start, and forecasts the effects of a submission or a new priority."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scheduler.admission.choice_check import ChoiceCheck
from scheduler.core.calendar.times.deadlines import DeadlineOutlook
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason
from scheduler.core.planner.explanation import Explanation, Forecast, explain_job, forecast_submission
from scheduler.core.planner.priority_forecast import PriorityForecast, forecast_priorities
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.planner.start_estimates import StartEstimate
from scheduler.core.requests.job_update import JobUpdate, updated
from scheduler.core.spending.prices.cost import CostRange
from scheduler.errors.internal import UnknownJob
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import JobStore
from scheduler.queue.children_to_come import ChildrenToCome
from scheduler.queue.costs import Costs
from scheduler.queue.job_status import MAX_COUNTED_FOR_ONE_JOB, job_named
from scheduler.queue.submission import Submission, Submissions
from scheduler.queue.warm_pools import Misfit, WarmPoolReader

_NOT_KNOWN = StartEstimate(earliest=None, latest=None, after="")


@dataclass(frozen=True, slots=True)
class ForecastReader:
    """Makes forecasts from the snapshot that a cycle would read now. Changes nothing."""

    snapshot_reader: SnapshotReader
    choice_check: ChoiceCheck
    index: JobIndex
    clock: Clock

    def of(self, job: Job) -> Explanation | None:
        """Returns the explanation of a job, or None if the job does not wait."""
        if not job.is_queued:
            return None
        snapshot = self._observed_with(job)
        with_job = self.choice_check.close_refused(replace(snapshot, queued=(*_without(job, snapshot).queued, job)))
        explanation = explain_job(with_job, job, self.clock.now())
        if not job.is_deferred and job.name not in {candidate.name for candidate in snapshot.queued}:
            # The snapshot leaves out jobs far back in the queue, so estimates for them would be too early.
            outlook = explanation.deadline and DeadlineOutlook.UNKNOWN
            explanation = replace(explanation, starts=_NOT_KNOWN, deadline=outlook)
        near = snapshot.spending_status.near_limits_of(job)
        ranking = tuple(snapshot.choice_costs.sentences(job))
        return replace(explanation, position=self._position(job), near_limits=near, ranking=ranking)

    def if_submitted(self, job: Job, closed: frozenset[tuple[str, int]] = frozenset()) -> Forecast:
        """Returns the forecast for a job that passed all checks but was not stored. Its closed choices do not start."""
        snapshot = self.choice_check.close_refused(_without(job, self._observed_with(job)))
        snapshot = replace(snapshot, closed_choices=snapshot.closed_choices | closed)
        forecast = forecast_submission(snapshot, job, self.clock.now())
        if forecast.starts_now or job.is_deferred:
            return replace(forecast, behind=0)
        position = self._position(job)
        return replace(forecast, behind=None if position is None else position - 1)

    def if_changed(self, changed: Sequence[Job]) -> PriorityForecast:
        """Returns how the next cycle would differ if these jobs were changed as given."""
        snapshot = self.choice_check.close_refused(self.snapshot_reader.observe())
        return forecast_priorities(snapshot, changed, self.clock.now())

    def _observed_with(self, job: Job) -> Snapshot:
        """Returns the current snapshot, with the spending limits that apply to this job."""
        snapshot = self.snapshot_reader.observe()
        if any(queued.name == job.name for queued in snapshot.queued):
            return snapshot
        return replace(
            snapshot,
            spending_status=self.snapshot_reader.spending_status_with(job, snapshot),
            choice_costs=self.snapshot_reader.choice_costs_with(job, snapshot),
        )

    def _position(self, job: Job) -> int | None:
        return self.index.positions([job], MAX_COUNTED_FOR_ONE_JOB).get(job.name)


def _without(job: Job, snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, queued=tuple(other for other in snapshot.queued if other.name != job.name))


@dataclass(frozen=True, slots=True)
class Explanations:
    forecast_reader: ForecastReader
    jobs: JobStore
    submissions: Submissions
    warm_pool_reader: WarmPoolReader
    costs: Costs
    children_to_come: ChildrenToCome

    def explain(self, name: str, caller: str) -> tuple[Job, Reason, Explanation | None, tuple[Misfit, ...]]:
        """Returns the job, its reason, an explanation if it waits, and the warm pools that do not match it.

        A child that its array has not created yet has no explanation. Raises UnknownJob.
        """
        try:
            job = job_named(self.jobs, name)
        except UnknownJob:
            child = self.children_to_come.job(name)
            return child, child.status.reason, None, ()
        explanation = self.forecast_reader.of(job)
        reason = explanation.reason if explanation else job.status.reason
        is_controlled = self.submissions.admission.authorization.controlled_by(caller)
        if not is_controlled(job.owner):
            reason = reason.without_quotes()
        return job, reason, explanation, self.warm_pool_reader.misfits(job, is_controlled)

    def forecast(self, submission: Submission, caller: str) -> tuple[Job, Forecast, CostRange]:
        """Returns the job, the forecast and the cost range of a submission without storing it.

        Raises the errors that the submission would raise.
        """
        job, closed = self.submissions.preview(submission, caller)
        if not job.is_queued:
            forecast = Forecast(starts_now=False, behind=0, preempts=(), reason=job.status.reason, starts=_NOT_KNOWN)
        else:
            forecast = self.forecast_reader.if_submitted(job, closed)
        return job, forecast, self.costs.range_of(job)

    def forecast_priority(self, names: Sequence[str], priority: int, caller: str) -> PriorityForecast:
        """Returns the immediate effect of another priority. Leaves out jobs that cannot be changed.

        Raises UnknownJob.
        """
        jobs = [job_named(self.jobs, name) for name in names]
        able = [job for job in jobs if job.is_readable and not job.is_finished]
        now = self.forecast_reader.clock.now()
        return self.forecast_reader.if_changed(
            [updated(job, JobUpdate({"priority": priority}), caller, now) for job in able]
        )
