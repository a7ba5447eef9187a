"""Forecasts the queue: why a job waits, when it may start, and what would happen to a job if it were submitted."""

from dataclasses import dataclass, replace

from scheduler.core.jobs.job import Job
from scheduler.core.planner.explanation import Explanation, Forecast, explain_job, forecast_submission
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.planner.start_estimates import StartEstimate
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.queue.job_status import MAX_COUNTED_FOR_ONE_JOB


@dataclass(frozen=True, slots=True)
class ForecastReader:
    """Forecasts from the snapshot that a cycle would plan with at this moment. Changes nothing."""

    snapshot_reader: SnapshotReader
    index: JobIndex
    clock: Clock

    def of(self, job: Job) -> Explanation | None:
        """Returns None for a job that does not wait."""
        if not job.is_queued:
            return None
        snapshot = self._observed_with(job)
        explanation = explain_job(_with(job, snapshot), job, self.clock.now())
        if job.name not in {candidate.name for candidate in snapshot.queued}:
            # The snapshot leaves out jobs that are far behind: an estimated time would be too early.
            explanation = replace(explanation, starts=StartEstimate(None, None, ""))
        near = snapshot.spending_status.near_limits_of(job)
        return replace(explanation, position=self._position(job), near_limits=near)

    def if_submitted(self, job: Job) -> Forecast:
        """Returns the forecast of a job that was accepted and not stored."""
        forecast = forecast_submission(_without(job, self._observed_with(job)), job, self.clock.now())
        if forecast.starts_now:
            return replace(forecast, behind=0)
        position = self._position(job)
        return replace(forecast, behind=None if position is None else position - 1)

    def _observed_with(self, job: Job) -> Snapshot:
        """Returns the snapshot, with the spending limits that apply to this job."""
        snapshot = self.snapshot_reader.observe()
        if any(queued.name == job.name for queued in snapshot.queued):
            return snapshot
        return replace(snapshot, spending_status=self.snapshot_reader.spending_status_with(job, snapshot))

    def _position(self, job: Job) -> int | None:
        return self.index.positions([job], MAX_COUNTED_FOR_ONE_JOB).get(job.name)


def _with(job: Job, snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, queued=(*_without(job, snapshot).queued, job))


def _without(job: Job, snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, queued=tuple(other for other in snapshot.queued if other.name != job.name))
