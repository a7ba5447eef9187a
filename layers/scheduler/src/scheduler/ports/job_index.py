"""The index of jobs: lists, counts and positions of jobs, and the candidates for a plan."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.arrays.job_array import JobArray


@dataclass(frozen=True, slots=True)
class Page:
    jobs: tuple[Job, ...]
    next_token: str | None = None
    tokens: tuple[str, ...] = ()  # one token per job, to continue after it if an answer has room for only some jobs


class Waiting(NamedTuple):  # a NamedTuple, since there may be thousands
    name: str
    state: JobState
    owner: str
    team: str  # the team that its user chose; empty: the owner's


class JobIndex(Protocol):
    """Finds jobs by state, owner and position in the queue, instead of by name.

    Its reads may lag behind the latest writes.
    """

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        """Returns a plan's waiting jobs (see `CandidateSelection`), highest priority first.

        The index may lag. `JobStore.save` refuses a job that has changed since.
        """

    def page(self, job_filter: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        """Returns jobs for display: running and waiting jobs by priority and age, then finished jobs, latest first.

        The list leaves out no job that starts while it is read. A page may have fewer jobs than `limit`. Raises
        BadRequest for a token from another list.
        """

    def waiting(self) -> Iterator[Waiting]:
        """Returns all jobs that are queued, on hold or parked."""

    def parked_for(self, reason: ReasonCode, token: str | None, limit: int) -> Page:
        """Returns jobs that are parked for this reason, at most `limit`, in queue order.

        The page's token continues after these jobs; it is None after the last parked job. The page may have fewer jobs
        than `limit` even if it has a token.
        """

    def due(self, now: datetime, limit: int) -> tuple[Job, ...]:
        """Returns the jobs whose timer is due (see `core/calendar/times/timers`), at most `limit`, the earliest first.

        Jobs whose records have changed since the index was written may have no due timer.
        """

    def positions(self, jobs: Iterable[Job], within: int) -> dict[str, int]:
        """Returns the positions of jobs by name, in order of priority and age, from 1 to `within`.

        Each position costs a read.
        """

    def is_first(self, job: Job) -> bool:
        """Returns whether no other job with the same priority is ahead of this one."""


class Dependencies(Protocol):
    """Finds the jobs that wait for other jobs, and reads the jobs and arrays that they wait for."""

    def predecessors(self, names: Collection[str]) -> Mapping[str, Job]:
        """Returns the existing jobs with these names, by name. Reads consistently."""

    def arrays_named(self, names: Collection[str]) -> Mapping[str, JobArray | None]:
        """Returns the existing arrays with these names; None for an unreadable array. Reads consistently."""

    def successors(self, name: str, limit: int) -> tuple[Job, ...]:
        """Returns queued jobs whose `awaits` names this job: the first jobs in queue order, at most `limit`.

        The result may lag behind the latest writes.
        """

    def all_successors(self, token: str | None, limit: int) -> Page:
        """Returns jobs that wait for other jobs or are parked for that (see `Job.follows_others`), at most `limit`.

        The page's token continues after these jobs; it is None after the last job. The result may lag.
        """
