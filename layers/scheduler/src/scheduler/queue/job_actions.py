"""Records users' actions on jobs: cancel, hold, release, requeue, priority, top. The cycle carries them out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from scheduler.admission.admission import Admission
from scheduler.core.jobs import user_actions
from scheduler.core.jobs.job import UNFINISHED, Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.errors.internal import StaleJob
from scheduler.errors.refusals import BadRequest, UnreadableJob, WrongJobState
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex, Page
from scheduler.ports.job_store import JobStore
from scheduler.queue.job_status import CurrentStatus, JobStatusReader, job_named

#: A cycle writes a job a few times in its life, so that many conflicts in a row do not happen by chance.
MAX_TRIES = 10


@dataclass(frozen=True, slots=True)
class Cancelled:
    names: tuple[str, ...]
    refused: tuple[tuple[str, BadRequest], ...]
    more: bool  # more jobs match


@dataclass(frozen=True, slots=True)
class JobActions:
    """Each action can be repeated safely; a requeue only if it names the attempt after which it should happen.

    All raise UnknownJob, NotPermitted, UnreadableJob and WrongJobState with the truth about the job.
    """

    job_status_reader: JobStatusReader
    jobs: JobStore
    index: JobIndex
    clock: Clock
    admission: Admission

    def cancel(self, name: str, caller: str) -> CurrentStatus:
        return self._act(name, caller, lambda job: user_actions.cancel(job, caller, self.clock.now()))

    def hold(self, name: str, caller: str) -> CurrentStatus:
        return self._act(name, caller, lambda job: user_actions.hold(job, caller, self.clock.now()))

    def release(self, name: str, caller: str) -> CurrentStatus:
        return self._act(name, caller, lambda job: user_actions.release(job, caller, self.clock.now()))

    def requeue(self, name: str, caller: str, after: int | None = None) -> CurrentStatus:
        return self._act(name, caller, lambda job: user_actions.requeue(job, caller, self.clock.now(), after))

    def prioritise(self, name: str, priority: int, caller: str) -> CurrentStatus:
        """Raises RuleViolated for a priority that the rules do not allow."""
        return self._act(name, caller, lambda job: self._prioritise(job, priority, caller))

    def top(self, name: str, caller: str) -> CurrentStatus:
        return self._act(name, caller, lambda job: self._move_to_top(job, caller))

    def cancel_many(self, job_filter: JobFilter, limit: int, caller: str) -> Cancelled:
        """Cancels the first matching unfinished jobs that the caller may cancel; cancelled ones do not count."""
        page = self._first_of(job_filter, limit, caller)
        refused: list[tuple[str, BadRequest]] = []
        cancelled = []
        for job in page.jobs:
            try:
                self._change(job.name, lambda job: user_actions.cancel(job, caller, self.clock.now()))
            except (WrongJobState, UnreadableJob) as refusal:  # the job ended in between, or its record is broken
                refused.append((job.name, refusal))
            else:
                cancelled.append(job.name)
        return Cancelled(tuple(cancelled), tuple(refused), page.next_token is not None)

    def _first_of(self, job_filter: JobFilter, limit: int, caller: str) -> Page:
        states = (job_filter.states or UNFINISHED) & UNFINISHED
        if not states:
            return Page(())
        own = replace(
            job_filter, states=states, is_cancelled=False, owners=self.admission.authorization.controlled_by(caller)
        )
        now = self.clock.now()
        page = self.index.page(own, limit, None, now)
        while not page.jobs and page.next_token:  # thousands of jobs of other owners come first
            page = self.index.page(own, limit, page.next_token, now)
        return page

    def _prioritise(self, job: Job, priority: int, caller: str) -> Job:
        now = self.clock.now()
        changed = user_actions.prioritise(job, priority, caller, now)
        if changed.options.priority > job.options.priority:
            for option, promoted in zip(job.each_choice, changed.each_choice, strict=True):
                self.admission.refuse_promotion(option, promoted, self.jobs.request(job.name, option.spec.choice), now)
        return changed

    def _move_to_top(self, job: Job, caller: str) -> Job:
        return user_actions.move_to_top(job, caller, self.clock.now(), is_first=self.index.is_first(job))

    def _act(self, name: str, caller: str, action: Callable[[Job], Job]) -> CurrentStatus:
        def action_of_caller(job: Job) -> Job:
            self.admission.authorization.require_control(job, caller)
            return action(job)

        return self.job_status_reader.of(self._change(name, action_of_caller))

    def _change(self, name: str, action: Callable[[Job], Job]) -> Job:
        for _ in range(MAX_TRIES):
            job = job_named(self.jobs, name)
            if not job.is_readable:
                raise UnreadableJob(name)
            changed = action(job)
            if changed is job:
                return job
            try:
                return self.jobs.save(changed, by="api")
            except StaleJob:
                continue  # a cycle wrote the job in between: read it again
        raise StaleJob(name)
