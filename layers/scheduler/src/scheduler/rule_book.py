"""The rules as operators see them: read them, try them out, put them into force."""

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler.document_book import DocumentBook
from scheduler.domain.document import Document
from scheduler.domain.job import Job, JobState
from scheduler.domain.job_filter import JobFilter
from scheduler.gate import Gate
from scheduler.policy.guardrails.document import accepted
from scheduler.policy.guardrails.rules import Rules, Verdict
from scheduler.ports import Clock, JobStore

#: How many jobs of each state a trial looks at, the first of the queue: each costs a read.
MOST_PER_STATE = 200
_WAITING = (JobState.PENDING, JobState.PREEMPTED, JobState.HELD, JobState.PARKED)


@dataclass(frozen=True, slots=True)
class Change:
    """What other rules would mean for a job."""

    job: Job
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class Trial:
    changes: tuple[Change, ...]  # of the jobs for which anything would change
    checked: int
    is_complete: bool  # whether every job that waits or runs was looked at


@dataclass(frozen=True, slots=True)
class RuleBook:
    book: DocumentBook
    jobs: JobStore
    gate: Gate
    clock: Clock

    def show(self) -> Document | None:
        return self.book.show()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a document into force, as a whole. Raises BadRules, or StaleRules if `replaces` is not in force."""
        accepted(text, self.clock.now())
        return self.book.apply(text, caller, replaces)

    def try_out(self, text: str) -> Trial:
        """What the document would do to the jobs that wait or run. Nothing is changed. Raises BadRules."""
        now = self.clock.now()
        rules = accepted(text, now)
        pages = [self.jobs.page(JobFilter(frozenset({state})), MOST_PER_STATE, None, now) for state in _WAITING]
        jobs = [live.job for live in self.jobs.live()] + [job for page in pages for job in page.jobs]
        changes = tuple(self._changes(jobs, rules))
        return Trial(changes, len(jobs), is_complete=not any(page.next_token for page in pages))

    def _changes(self, jobs: list[Job], rules: Rules) -> Iterator[Change]:
        now, in_force = self.clock.now(), self.gate.rules()
        for job in jobs:
            request = self.jobs.request(job.name)
            before, after = (self.gate.verdict(each, job, request, now) for each in (in_force, rules))
            if before != after:
                yield Change(job, before, after)
