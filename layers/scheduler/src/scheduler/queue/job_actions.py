"""What people wish of jobs that exist: cancel, hold, release, requeue, priority, top. The cycle carries it out."""

from collections.abc import Callable

from attrs import evolve, frozen

from scheduler.admission.admission import Admission
from scheduler.core.jobs import user_actions
from scheduler.core.jobs.job import UNFINISHED, Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.errors.internal import StaleJob
from scheduler.errors.refusals import BadRequest, UnreadableJob, WrongJobState
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import Page
from scheduler.ports.job_store import JobStore
from scheduler.queue.job_lookup import job_named
from scheduler.queue.job_status import JobStatus, JobStatusReader

#: A cycle writes a job a few times in its life; so many collisions in a row do not happen by chance.
MAX_TRIES = 10


@frozen
class Cancelled:
    names: tuple[str, ...]
    refused: tuple[tuple[str, BadRequest], ...]
    more: bool  # there are others that fit


@frozen
class JobActions:
    """Each wish can be repeated without harm, a requeue if it says after which attempt.

    All raise UnknownJob, NotPermitted, UnreadableJob, and WrongJobState with the truth about the job.
    """

    job_status_reader: JobStatusReader
    store: JobStore
    clock: Clock
    admission: Admission

    def cancel(self, name: str, caller: str) -> JobStatus:
        return self._fulfil(name, caller, lambda job: user_actions.cancel(job, caller, self.clock.now()))

    def hold(self, name: str, caller: str) -> JobStatus:
        return self._fulfil(name, caller, lambda job: user_actions.hold(job, caller, self.clock.now()))

    def release(self, name: str, caller: str) -> JobStatus:
        return self._fulfil(name, caller, lambda job: user_actions.release(job, caller, self.clock.now()))

    def requeue(self, name: str, caller: str, after: int | None = None) -> JobStatus:
        return self._fulfil(name, caller, lambda job: user_actions.requeue(job, caller, self.clock.now(), after))

    def prioritise(self, name: str, priority: int, caller: str) -> JobStatus:
        """Raises RuleViolated for a priority that the rules do not allow."""
        return self._fulfil(name, caller, lambda job: self._prioritised(job, priority, caller))

    def top(self, name: str, caller: str) -> JobStatus:
        return self._fulfil(name, caller, lambda job: self._topped(job, caller))

    def cancel_many(self, wanted: JobFilter, limit: int, caller: str) -> Cancelled:
        """Cancel the first unfinished jobs that are wanted, of those that the caller may cancel.

        Those that somebody has cancelled already do not count.
        """
        page = self._first_of(wanted, limit, caller)
        refused: list[tuple[str, BadRequest]] = []
        cancelled = []
        for job in page.jobs:
            try:
                self._change(job.name, lambda known: user_actions.cancel(known, caller, self.clock.now()))
            except (WrongJobState, UnreadableJob) as refusal:  # it ended in between, or is broken
                refused.append((job.name, refusal))
            else:
                cancelled.append(job.name)
        return Cancelled(tuple(cancelled), tuple(refused), page.next_token is not None)

    def _first_of(self, wanted: JobFilter, limit: int, caller: str) -> Page:
        states = (wanted.states or UNFINISHED) & UNFINISHED
        if not states:
            return Page(())
        own = evolve(wanted, states=states, is_cancelled=False, owners=self.admission.access.controlled_by(caller))
        now = self.clock.now()
        page = self.store.page(own, limit, None, now)
        while not page.jobs and page.next_token:  # thousands of others' come first
            page = self.store.page(own, limit, page.next_token, now)
        return page

    def _prioritised(self, job: Job, priority: int, caller: str) -> Job:
        now = self.clock.now()
        wished = user_actions.prioritise(job, priority, caller, now)
        if wished.priority > job.priority:
            for known, promoted in zip(job.each_choice, wished.each_choice, strict=True):
                self.admission.refuse_promotion(known, promoted, self.store.request(job.name, known.choice), now)
        return wished

    def _topped(self, job: Job, caller: str) -> Job:
        return user_actions.move_to_top(job, caller, self.clock.now(), is_first=self.store.is_first(job))

    def _fulfil(self, name: str, caller: str, wish: Callable[[Job], Job]) -> JobStatus:
        def wish_of_caller(job: Job) -> Job:
            self.admission.access.require_control(job, caller)
            return wish(job)

        return self.job_status_reader.of(self._change(name, wish_of_caller))

    def _change(self, name: str, wish: Callable[[Job], Job]) -> Job:
        for _ in range(MAX_TRIES):
            job = job_named(self.store, name)
            if not job.is_readable:
                raise UnreadableJob(name)
            wished = wish(job)
            if wished is job:
                return job
            try:
                return self.store.save(wished, by="api")
            except StaleJob:
                continue  # a cycle wrote the job in between: look again
        raise StaleJob(name)
