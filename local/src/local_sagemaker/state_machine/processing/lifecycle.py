"""Moves processing jobs through their statuses:

InProgress → Completed | Failed or, after a stop, Stopping → Stopped.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from math import inf

from local_sagemaker.state_machine.capacity import Capacity, demand
from local_sagemaker.state_machine.commands import (
    Command,
    Discard,
    Exited,
    Kill,
    Prepare,
    Prepared,
    Report,
    Run,
    RunFailed,
    Terminate,
    Upload,
    Uploaded,
)
from local_sagemaker.state_machine.processing.job import ProcessingJob, ProcessingStatus

_ALGORITHM_ERROR = "AlgorithmError: See job logs for more information"


class ProcessingJobs:
    """The processing jobs of the account. `changed` sends events, and `command` passes commands to the runner."""

    def __init__(
        self,
        jobs: Iterable[ProcessingJob],
        grace_seconds: float,
        capacity: Capacity,
        changed: Callable[[ProcessingJob, float], None],
        command: Callable[[Command], None],
    ) -> None:
        self.by_key = {job.key: job for job in jobs}
        self._grace_seconds = grace_seconds
        self._capacity = capacity
        self._changed = changed
        self._command = command
        self._active_keys = {key for key, job in self.by_key.items() if not job.is_terminal}
        self._changed_keys: set[str] = set()

    def add(self, job: ProcessingJob, now: float) -> None:
        self.by_key[job.key] = job
        self._active_keys.add(job.key)
        job.ready_at = self._capacity.ready_at(job.cluster, now)
        self._enter(job, ProcessingStatus.IN_PROGRESS, now)

    def remove(self, job: ProcessingJob) -> None:
        del self.by_key[job.key]
        self._changed_keys.add(job.key)

    def stop(self, job: ProcessingJob, now: float) -> None:
        if job.is_running:
            job.kill_at = now + self._grace_seconds
            self._command(Terminate(job.key))
        elif job.started_at is None:
            job.kill_at = now  # no process runs yet
        self._enter(job, ProcessingStatus.STOPPING, now)

    def capacity_changed(self, now: float) -> None:
        """Recomputes the times at which waiting jobs get their instances."""
        for job in self.active():
            if job.started_at is None and job.status is ProcessingStatus.IN_PROGRESS:
                job.ready_at = self._capacity.ready_at(job.cluster, now)

    def next_due(self) -> float:
        return min((_due(job) for job in self.active()), default=inf)

    def advance(self, now: float) -> None:
        for job in self.active():
            if _due(job) <= now:
                self._fire(job, now)

    def report(self, key: str, report: Report, now: float) -> None:
        """Applies a report from the runner. Ignores late reports about finished jobs."""
        job = self.by_key.get(key)
        if job is None or job.is_terminal or job.started_at is None:
            return
        match report:
            case RunFailed(reason):
                self._fail(job, reason, now)
            case Prepared() if job.status is ProcessingStatus.STOPPING:
                self._finish(job, now)
            case Prepared():
                job.is_running = True
                self._command(Run(key))
            case Exited(code, message):
                self._exited(job, code, message)
            case Uploaded():
                self._finish(job, now)
        self.mark_changed(job)

    def recover(self, reason: str, now: float) -> None:
        """Fails the work that was in progress before a restart of the runner."""
        for job in self.active():
            if job.started_at is not None:
                self._fail(job, reason, now)

    def held_instances(self) -> Counter[str]:
        """Counts the instances of each type in use by processing jobs, which have separate quotas."""
        counts: Counter[str] = Counter()
        for job in self.active():
            counts.update(demand(job.cluster))
        return counts

    def active(self) -> list[ProcessingJob]:
        return [self.by_key[key] for key in sorted(self._active_keys)]

    def mark_changed(self, job: ProcessingJob) -> None:
        self._changed_keys.add(job.key)

    def take_changed(self) -> set[str]:
        """Returns the keys of jobs changed, created or deleted since the last call, for a store to save."""
        keys, self._changed_keys = self._changed_keys, set()
        return keys

    def _fire(self, job: ProcessingJob, now: float) -> None:
        if job.status is ProcessingStatus.STOPPING:
            job.kill_at = None
            if job.started_at is None:
                self._finish(job, now)
            else:
                self._command(Kill(job.key))
        elif job.started_at is None:
            self._bring_up(job, now)
        else:
            self.stop(job, now)  # its time is over

    def _bring_up(self, job: ProcessingJob, now: float) -> None:
        job.selected = self._capacity.selected(job.cluster, now)
        job.ready_at = None
        job.started_at = now
        self.mark_changed(job)
        self._command(Prepare(job.key))

    def _exited(self, job: ProcessingJob, code: int, message: str) -> None:
        job.is_running = False
        job.kill_at = None
        job.exit_message = message[:1024] or None
        if code != 0 and job.status is not ProcessingStatus.STOPPING:
            job.failure_reason = _ALGORITHM_ERROR
        self._command(Upload(job.key))

    def _fail(self, job: ProcessingJob, reason: str, now: float) -> None:
        job.failure_reason = reason[:1024]
        self._finish(job, now)

    def _finish(self, job: ProcessingJob, now: float) -> None:
        if job.started_at is not None:
            self._command(Discard(job.key))
        job.ended_at = now
        self._active_keys.discard(job.key)
        self._enter(job, _final_status(job), now)

    def _enter(self, job: ProcessingJob, status: ProcessingStatus, now: float) -> None:
        job.status = status
        job.modified_at = now
        self.mark_changed(job)
        self._changed(job, now)


def _final_status(job: ProcessingJob) -> ProcessingStatus:
    if job.status is ProcessingStatus.STOPPING:
        return ProcessingStatus.STOPPED
    return ProcessingStatus.COMPLETED if job.failure_reason is None else ProcessingStatus.FAILED


def _due(job: ProcessingJob) -> float:
    """Returns the time of the job's next timed change."""
    if job.status is ProcessingStatus.STOPPING:
        return _known(job.kill_at)
    return _known(job.ready_at) if job.started_at is None else _known(job.runtime_end)


def _known(moment: float | None) -> float:
    return inf if moment is None else moment
