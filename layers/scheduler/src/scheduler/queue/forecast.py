"""What people ask about the future: why a job waits and when it may start, and what would become of another job."""

from attrs import evolve, frozen

from scheduler.core.jobs.job import Job
from scheduler.core.planner.forecast.explanation import Explanation, Forecast, explain_job, what_if
from scheduler.core.planner.forecast.start_estimates import Starts
from scheduler.core.planner.snapshot import Snapshot
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.queue.job_status import MOST_COUNTED_FOR_ONE


@frozen
class ForecastReader:
    """Answers from the snapshot that a cycle would decide on at this moment; nothing is changed."""

    snapshot_reader: SnapshotReader
    store: JobStore
    clock: Clock

    def of(self, job: Job) -> Explanation | None:
        """None for a job that does not wait."""
        if not job.is_queued:
            return None
        snapshot = self._observed_with(job)
        explanation = explain_job(_with(job, snapshot), job, self.clock.now())
        if job.name not in {candidate.name for candidate in snapshot.queued}:
            # So many are ahead of it that the snapshot leaves them out: a time would be too early.
            explanation = evolve(explanation, starts=Starts(None, None, ""))
        near = snapshot.used_up.near_of(job)
        return evolve(explanation, position=self._position(job), near_limits=near)

    def if_submitted(self, job: Job) -> Forecast:
        """What would become of a job that was accepted and not kept."""
        forecast = what_if(_without(job, self._observed_with(job)), job, self.clock.now())
        if forecast.starts_now:
            return evolve(forecast, behind=0)
        position = self._position(job)
        return evolve(forecast, behind=None if position is None else position - 1)

    def _observed_with(self, job: Job) -> Snapshot:
        """The snapshot, and what may be spent on this job."""
        snapshot = self.snapshot_reader.observe()
        if any(queued.name == job.name for queued in snapshot.queued):
            return snapshot
        return evolve(snapshot, used_up=self.snapshot_reader.used_up_for(job, snapshot))

    def _position(self, job: Job) -> int | None:
        return self.store.positions([job], MOST_COUNTED_FOR_ONE).get(job.name)


def _with(job: Job, snapshot: Snapshot) -> Snapshot:
    return evolve(snapshot, queued=(*_without(job, snapshot).queued, job))


def _without(job: Job, snapshot: Snapshot) -> Snapshot:
    return evolve(snapshot, queued=tuple(other for other in snapshot.queued if other.name != job.name))
