"""What another document would mean for the jobs that wait or run, before anybody puts it into force."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scheduler.domain.job import Job, JobState
from scheduler.domain.job_filter import JobFilter
from scheduler.policy.guardrails.rules import Verdict
from scheduler.ports import JobStore

#: How many jobs of each state a trial looks at, the first of the queue: each costs a read.
MOST_PER_STATE = 200
_WAITING = (JobState.PENDING, JobState.PREEMPTED, JobState.HELD, JobState.PARKED)

Judge = Callable[[Job, Mapping[str, Any]], Verdict]


@dataclass(frozen=True, slots=True)
class Change:
    """What another document would mean for a job."""

    job: Job
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class Trial:
    changes: tuple[Change, ...]  # of the jobs for which anything would change
    checked: int
    is_complete: bool  # whether every job that waits or runs was looked at


def try_out(jobs: JobStore, now: datetime, before: Judge, after: Judge) -> Trial:
    """Nothing is changed."""
    pages = [jobs.page(JobFilter(frozenset({state})), MOST_PER_STATE, None, now) for state in _WAITING]
    looked_at = [live.job for live in jobs.live()] + [job for page in pages for job in page.jobs]
    changes = tuple(_changes(jobs, looked_at, before, after))
    return Trial(changes, len(looked_at), is_complete=not any(page.next_token for page in pages))


def _changes(jobs: JobStore, looked_at: list[Job], before: Judge, after: Judge) -> Iterator[Change]:
    for job in looked_at:
        request = jobs.request(job.name)
        change = Change(job, before(job, request), after(job, request))
        if change.before != change.after:
            yield change
