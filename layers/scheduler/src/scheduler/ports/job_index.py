"""The index of the jobs: lists, counts and positions, and the candidates of a plan."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.reason import ReasonCode


@dataclass(frozen=True, slots=True)
class Page:
    jobs: tuple[Job, ...]
    next_token: str | None = None


class Waiting(NamedTuple):  # there may be thousands
    state: JobState
    owner: str


class JobIndex(Protocol):
    """Finds jobs by state, owner and place in the queue instead of by name."""

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        """Returns the waiting jobs that a plan considers (`CandidateSelection`), highest priorities first.

        May lag: only `save` and `launch` decide.
        """

    def page(self, job_filter: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        """Returns jobs for display: those that hold instances, those that wait, and those that ended.

        The first two parts are sorted by priority and age, the last one newest first. Jobs that start while the pages
        are read are not left out. A page may be short, with a token to continue, where few of many jobs match. Raises
        BadRequest for a token of another list.
        """

    def waiting(self) -> Iterator[Waiting]:
        """Returns all jobs that are queued, on hold or parked. May lag."""

    def parked_for(self, reason: ReasonCode, limit: int) -> tuple[Job, ...]:
        """Returns the first jobs that are parked for this reason. May lag."""

    def positions(self, jobs: Iterable[Job], within: int) -> dict[str, int]:
        """Returns each job's place in the queue (priority, then age) by its name, counted from 1. May lag.

        Jobs behind `within` places are left out: each place ahead is a key to read.
        """

    def is_first(self, job: Job) -> bool:
        """Returns whether no other job of its priority is ahead of it. May lag."""

    def count_waiting(self, owner_key: str) -> int:
        """Returns how many jobs of this owner key (`Job.owner_key`) wait. May lag."""
