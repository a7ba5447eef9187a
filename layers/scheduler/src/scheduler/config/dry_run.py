"""Checks another document against the current jobs: whose verdict would change if it were applied?"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scheduler.core.guardrails.rules import Verdict
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import UnreadableBody
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import JobStore, LiveAttempts
from scheduler.ports.training import TrainingRequest

#: Jobs of each state that a dry run checks, the first of the queue: each costs a read.
MOST_PER_STATE = 200
_WAITING = (JobState.PENDING, JobState.PREEMPTED, JobState.HELD, JobState.PARKED)

Check = Callable[[Job, Mapping[str, Any]], Verdict]


@dataclass(frozen=True, slots=True)
class ChangedVerdict:
    """A job's verdicts under the applied and the checked document."""

    job: Job
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class DryRun:
    """The result of a dry run."""

    changes: tuple[ChangedVerdict, ...]  # of the jobs whose verdict would change
    checked: int  # number of checked jobs
    is_complete: bool  # whether every waiting and running job was checked; unreadable requests are not


@dataclass(frozen=True, slots=True)
class DryRuns:
    jobs: JobStore
    index: JobIndex
    live_attempts: LiveAttempts

    def compare(self, now: datetime, before: Check, after: Check) -> DryRun:
        """Compares the verdicts of `before` and `after` on waiting and running jobs. Changes nothing."""
        pages = [self.index.page(JobFilter(frozenset({state})), MOST_PER_STATE, None, now) for state in _WAITING]
        selected = [live.job for live in self.live_attempts.live()] + [job for page in pages for job in page.jobs]
        checked = [
            ChangedVerdict(job, before(job, request), after(job, request)) for job, request in self._readable(selected)
        ]
        are_all = len(checked) == len(selected) and not any(page.next_token for page in pages)
        return DryRun(
            tuple(change for change in checked if change.before != change.after), len(checked), is_complete=are_all
        )

    def _readable(self, selected: list[Job]) -> Iterator[tuple[Job, TrainingRequest]]:
        for job in selected:
            with suppress(UnreadableBody, BodyUnavailable):
                yield job, self.jobs.request(job.name, job.choice)
