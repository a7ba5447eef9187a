"""What people ask about the future: why a job waits and when it may start, and what would become of another job."""

from dataclasses import dataclass, replace

from scheduler.domain.job import Job
from scheduler.domain.snapshot import Snapshot
from scheduler.observing import Observer
from scheduler.policy.estimates import Starts
from scheduler.policy.explaining import Explanation, Forecast, explain_one, what_if
from scheduler.ports import Clock, JobStore


@dataclass(frozen=True, slots=True)
class Outlook:
    """Answers from the snapshot that a cycle would decide on at this moment; nothing is changed."""

    observer: Observer
    store: JobStore
    clock: Clock

    def of(self, job: Job) -> Explanation | None:
        """None for a job that does not wait."""
        if not job.is_queued:
            return None
        snapshot = self.observer.observe()
        explanation = explain_one(_with(job, snapshot), job, self.clock.now())
        if job.name not in {candidate.name for candidate in snapshot.queued}:
            # So many are ahead of it that the snapshot leaves them out: a time would be too early.
            explanation = replace(explanation, starts=Starts(None, None, ""))
        return replace(explanation, position=self.store.positions([job])[job.name])

    def if_submitted(self, job: Job) -> Forecast:
        """What would become of a job that was accepted and not kept."""
        forecast = what_if(_without(job, self.observer.observe()), job, self.clock.now())
        behind = 0 if forecast.starts_now else self.store.positions([job])[job.name] - 1
        return replace(forecast, behind=behind)


def _with(job: Job, snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, queued=(*_without(job, snapshot).queued, job))


def _without(job: Job, snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, queued=tuple(other for other in snapshot.queued if other.name != job.name))
