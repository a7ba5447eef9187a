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
        """Returns a plan's waiting jobs (`CandidateSelection`), highest priority first. May lag: `save` decides."""

    def page(self, job_filter: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        """Returns jobs for display: running and waiting ones by priority and age, then ended ones, newest first.

        No job that starts meanwhile is left out. A page may be short. Raises BadRequest for a foreign token.
        """

    def waiting(self) -> Iterator[Waiting]:
        """Returns all jobs that are queued, on hold or parked. May lag."""

    def parked_for(self, reason: ReasonCode, limit: int) -> tuple[Job, ...]:
        """Returns the first jobs that are parked for this reason. May lag."""

    def positions(self, jobs: Iterable[Job], within: int) -> dict[str, int]:
        """Returns places in the queue (priority, then age) by name, from 1 to `within`: each is a read. May lag."""

    def is_first(self, job: Job) -> bool:
        """Returns whether no other job of its priority is ahead of it. May lag."""

    def count_waiting(self, owner_key: str) -> int:
        """Returns how many jobs of this owner key (`Job.owner_key`) wait. May lag."""
