"""Checks other rules, or another callers document, against the current jobs: whose verdict would change?"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scheduler.admission.admission import Admission
from scheduler.core.callers.permissions import Callers
from scheduler.core.guardrails.rules import Rules, Verdict
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import UnreadableBody
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import JobStore, LiveAttempts

#: Jobs of each state that a dry run checks, the first of the queue: each costs a read.
MOST_PER_STATE = 200
_WAITING = (JobState.PENDING, JobState.PREEMPTED, JobState.HELD, JobState.PARKED)

_Check = Callable[[Job, Mapping[str, Any]], Verdict]


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
    """Compares the verdicts on waiting and running jobs under the applied and another document. Changes nothing."""

    jobs: JobStore
    index: JobIndex
    live_attempts: LiveAttempts
    admission: Admission
    clock: Clock

    def of_rules(self, rules: Rules) -> DryRun:
        now = self.clock.now()

        def check(known: Rules) -> _Check:
            return lambda job, request: self.admission.verdict(known, job, request, now)

        return self._compare(now, check(self.admission.rules()), check(rules))

    def of_callers(self, callers: Callers) -> DryRun:
        def check(known: Callers) -> _Check:
            return lambda job, request: Verdict(enforced=known.violations(job, request))

        return self._compare(self.clock.now(), check(self.admission.authorization.callers()), check(callers))

    def _compare(self, now: datetime, before: _Check, after: _Check) -> DryRun:
        pages = [self.index.page(JobFilter(frozenset({state})), MOST_PER_STATE, None, now) for state in _WAITING]
        selected = [live.job for live in self.live_attempts.live()] + [job for page in pages for job in page.jobs]
        checked = []
        for job in selected:
            with suppress(UnreadableBody, BodyUnavailable):
                request = self.jobs.request(job.name, job.spec.choice)
                checked.append(ChangedVerdict(job, before(job, request), after(job, request)))
        are_all = len(checked) == len(selected) and not any(page.next_token for page in pages)
        changes = tuple(change for change in checked if change.before != change.after)
        return DryRun(changes, len(checked), is_complete=are_all)
