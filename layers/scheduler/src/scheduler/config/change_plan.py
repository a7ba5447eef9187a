"""Plans a configuration change: finds jobs whose verdict would change, and predicts how the next cycle would differ."""

from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.admission.admission import Admission
from scheduler.admission.launch_check import RequestCache
from scheduler.config.dry_run import DryRun, DryRuns, unchanged
from scheduler.config.editor import Change
from scheduler.config.prediction import Decision, Predictions
from scheduler.config.queue_copy import read_queue
from scheduler.core.configuration.kinds import JUDGING
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.job_store import JobStore


@dataclass(frozen=True, slots=True)
class ChangePlan:
    dry_run: DryRun
    before: tuple[Decision, ...]  # the next cycle's decisions with the current configuration
    after: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class ChangePlans:
    """Plans configuration changes. Writes nothing."""

    snapshot_reader: SnapshotReader
    jobs: JobStore
    admission: Admission
    name_mark: str

    def plan(self, change: Change) -> ChangePlan:
        """Returns the effects of the change. Reads the queue once, and only the requests that the answer depends on."""
        before, after, now = change.before, change.after, self.snapshot_reader.clock.now()
        reader, requests = self._reader_at(now), RequestCache(self.jobs.requests_of)
        queue = read_queue(reader, [before, after])
        rejudges = bool({*JUDGING} & {*change.changed}) or before.is_readable != after.is_readable
        dry_run = DryRuns(self.admission).compare(before, after, queue, requests, now) if rejudges else unchanged(queue)
        predictions = Predictions(reader, self.admission, self.name_mark, requests)
        return ChangePlan(
            dry_run,
            tuple(predictions.of(before, queue.reading, judges_queue=False)),
            tuple(predictions.of(after, queue.reading, judges_queue=rejudges)),
        )

    def _reader_at(self, now: datetime) -> SnapshotReader:
        """Returns a reader with a stopped clock, so that both predictions are for the same instant."""
        reader, clock = self.snapshot_reader, _Instant(now)
        return replace(reader, clock=clock, spending=replace(reader.spending, clock=clock))


@dataclass(frozen=True, slots=True)
class _Instant:
    at: datetime

    def now(self) -> datetime:
        return self.at

    def sleep(self, seconds: float) -> None:
        raise NotImplementedError(f"this clock stands still, so it cannot sleep for {seconds} s")
