"""Stops the steps of a cycle at its deadline, and isolates errors: one job's error does not affect the other jobs."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from scheduler.core.jobs import transitions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.errors.internal import (
    DATA_ERRORS,
    BodyUnavailable,
    ConfigurationUnreadable,
    CycleUnfinished,
    OutcomeUnknown,
    OverBudget,
    PoolNotReleased,
    RecordRefused,
    SchedulerError,
    StaleJob,
    Throttled,
    TrainingServiceError,
    UnknownJob,
)
from scheduler.errors.unreadable import UnreadableRecord
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import SCHEDULE, JobStore

logger = logging.getLogger(__name__)
_Item = TypeVar("_Item")

#: Errors after which a later pass or cycle repeats the step.
_POSTPONING = (
    CycleUnfinished,
    Throttled,
    OutcomeUnknown,
    StaleJob,
    OverBudget,
    PoolNotReleased,
    BodyUnavailable,
    ConfigurationUnreadable,
)


@dataclass(slots=True)
class Steps:
    clock: Clock
    deadline: datetime
    live_jobs: LiveJobs
    jobs: JobStore
    #: Names of jobs that the rest of this cycle skips, because their own data caused an error.
    set_aside: set[str] = field(default_factory=set, init=False)
    _reported: int = field(default=0, init=False)

    def is_out_of_time(self) -> bool:
        return self.clock.now() >= self.deadline

    def in_time(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yields the items until the deadline. The next cycle handles the rest."""
        for item in items:
            if self.is_out_of_time():
                return
            yield item

    def require_time(self) -> None:
        """Raises CycleUnfinished after the deadline, because calls could then overlap with those of another cycle."""
        if self.is_out_of_time():
            raise CycleUnfinished

    @contextmanager
    def isolate(self, step: str, job: Job | str) -> Iterator[None]:
        """Ends the block at an error that concerns only this job, and logs the error.

        Errors that concern all jobs, such as LeaseLost, pass through. `job` is the job, or the name of a job that
        cannot be parked.
        """
        about = {"step": step, "job": _name_of(job)}
        try:
            with self.isolate_data(step, job):
                yield
        except _POSTPONING as error:
            if isinstance(error, (StaleJob, OverBudget)):
                self.live_jobs.invalidate()
            logger.info("postponed", extra={**about, "cause": type(error).__name__})
        except TrainingServiceError as error:
            logger.error("refused", extra={**about, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request

    @contextmanager
    def isolate_data(self, step: str, job: Job | str) -> Iterator[None]:
        """Ends the block at an error that the job's data causes. Skips the job, and parks it if it is waiting."""
        try:
            yield
        except (RecordRefused, UnknownJob, UnreadableRecord, *DATA_ERRORS) as error:
            log_set_aside(step, _name_of(job), error)
            self.set_aside.add(_name_of(job))
            if isinstance(job, Job) and job.is_queued:
                self._park(job, step, error)

    def has_set_aside_another(self) -> bool:
        """Returns whether a job caused an error since the last call: if so, another pass plans without it."""
        before, self._reported = self._reported, len(self.set_aside)
        return self._reported > before

    def _park(self, job: Job, step: str, error: Exception) -> None:
        message = f"{type(error).__name__} at the step {step}: {_shown(error)}"
        parked = transitions.park(job, Reason(ReasonCode.JOB_ERROR, message), self.clock.now())
        try:
            self.jobs.save(parked, by=SCHEDULE)
        except StaleJob:
            return  # another writer, or the failed step itself, has changed the job: the next cycle reads it again
        except (RecordRefused, *DATA_ERRORS) as refused:
            log_set_aside("park", job.name, refused)


def log_set_aside(step: str, name: str, error: Exception) -> None:
    """Logs a job that the cycle skips because of an error. The log entry fires FaultsAlarm."""
    # The text of Python's own errors is left out: it may quote the request.
    cause = f"{type(error).__name__}: {_shown(error)}"
    logger.error("skipped job", extra={"step": step, "job": name, "cause": cause})


def _shown(error: Exception) -> str:
    return str(error) if isinstance(error, SchedulerError) else "its data cannot be used"


def _name_of(job: Job | str) -> str:
    return job.name if isinstance(job, Job) else job
