"""Lists of jobs, and what else is asked about many of them at once."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from scheduler.core.jobs.budget import Budget
    from scheduler.core.jobs.job import Job, JobState
    from scheduler.core.jobs.job_filter import JobFilter
    from scheduler.core.jobs.live_job import LiveJob
    from scheduler.core.jobs.reason import ReasonCode

NO_JOBS: Mapping[str, Job] = MappingProxyType({})


@frozen
class Page:
    jobs: tuple[Job, ...]
    next_token: str | None = None


class Waiting(NamedTuple):  # there may be thousands
    state: JobState
    owner: str


class JobIndex(Protocol):
    """The jobs of the queue by what they are, not by their names."""

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        """Of the waiting jobs those that can matter now, as `policy.backlog` picks them, highest priorities first.

        May lag: decide on `save` or `launch`.
        """

    def live(self, known: Mapping[str, Job] = NO_JOBS, /, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        """Every attempt that holds budget, with its job. Consistent, unless what was true lately is good enough.

        Of the jobs that the caller knows from before, those need not be read that no cycle has written since.
        """

    def page(self, wanted: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        """Jobs for display: what holds instances, what waits, both by priority and age, and what ended, newest first.

        Whoever is in the queue while all pages are read is shown, also if it starts in between. A page is
        short, and its token tells where to look on, where those wanted are rare among many. Raises BadRequest for a
        token that is not of such a list.
        """

    def waiting(self) -> Iterator[Waiting]:
        """All that wait in the queue, are held or parked. May lag."""

    def parked_for(self, reason: ReasonCode, limit: int) -> tuple[Job, ...]:
        """The first jobs that are parked for this reason. May lag."""

    def positions(self, jobs: Iterable[Job], within: int) -> dict[str, int]:
        """Each job's place in the queue (priority, then age) by its name, counted from 1. May lag.

        Those behind `within` places are left out: each place ahead is a key that is read.
        """

    def is_first(self, job: Job) -> bool:
        """Whether no other job of its priority waits before it. May lag."""

    def count_waiting(self, owner_key: str) -> int:
        """How many jobs of this hand (`Job.hand`) wait. May lag."""
