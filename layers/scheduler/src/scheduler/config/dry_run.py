"""What another document would mean for the jobs that wait or run, before anybody puts it into force."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from attrs import frozen

from scheduler.core.guardrails.rules import Verdict
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import UnreadableBody
from scheduler.ports.job_store import JobStore
from scheduler.ports.training import TrainingRequest

#: How many jobs of each state a trial looks at, the first of the queue: each costs a read.
MOST_PER_STATE = 200
_WAITING = (JobState.PENDING, JobState.PREEMPTED, JobState.HELD, JobState.PARKED)

Judge = Callable[[Job, Mapping[str, Any]], Verdict]


@frozen
class Change:
    """What another document would mean for a job."""

    job: Job
    before: Verdict
    after: Verdict


@frozen
class DryRun:
    changes: tuple[Change, ...]  # of the jobs for which anything would change
    checked: int  # how many jobs were looked at
    is_complete: bool  # whether these are all that wait or run; a request that cannot be read now is passed over


def dry_run(jobs: JobStore, now: datetime, before: Judge, after: Judge) -> DryRun:
    """Nothing is changed."""
    pages = [jobs.page(JobFilter(frozenset({state})), MOST_PER_STATE, None, now) for state in _WAITING]
    meant = [live.job for live in jobs.live()] + [job for page in pages for job in page.jobs]
    looked_at = [Change(job, before(job, request), after(job, request)) for job, request in _readable(jobs, meant)]
    are_all = len(looked_at) == len(meant) and not any(page.next_token for page in pages)
    return DryRun(tuple(one for one in looked_at if one.before != one.after), len(looked_at), is_complete=are_all)


def _readable(jobs: JobStore, meant: list[Job]) -> Iterator[tuple[Job, TrainingRequest]]:
    for job in meant:
        with suppress(UnreadableBody, BodyUnavailable):
            yield job, jobs.request(job.name, job.choice)
