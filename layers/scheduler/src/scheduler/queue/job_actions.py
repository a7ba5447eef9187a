"""Records users' actions on jobs: cancel, hold, release, requeue, update, top, approve. The cycle carries them out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from scheduler.admission.admission import Admission, WaitingJobs
from scheduler.core.guardrails.approvals import after_judgement
from scheduler.core.jobs import user_actions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.arrays.array_actions import refuse_release, refuse_requeue
from scheduler.core.requests.job_update import JobUpdate, asks_for_more, updated
from scheduler.errors.internal import StaleJob
from scheduler.errors.refusals import QUEUE, Violation
from scheduler.errors.unreadable import UnreadableJob
from scheduler.errors.wrong_state import NoApprovalNeeded
from scheduler.ports.array_store import ArrayStore
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import API, JobStore
from scheduler.queue.job_status import job_named

#: The most tries for one action. A cycle writes a job only a few times, so this many conflicts in a row cannot be
#: chance.
MAX_TRIES = 10


@dataclass(frozen=True, slots=True)
class JobActions:
    """Records actions on jobs, and returns each job in its new state.

    Each action can be repeated safely, except a requeue that does not name the attempt that it follows. All actions
    raise UnknownJob, NotPermitted, UnreadableJob, and WrongJobState with the job's actual state.
    """

    jobs: JobStore
    index: JobIndex
    arrays: ArrayStore
    clock: Clock
    admission: Admission

    def cancel(self, name: str, caller: str, *, save_first: bool = False) -> Job:
        return self._act(
            name, caller, lambda job: user_actions.cancel(job, caller, self.clock.now(), save_first=save_first)
        )

    def hold(self, name: str, caller: str) -> Job:
        return self._act(name, caller, lambda job: user_actions.hold(job, caller, self.clock.now()))

    def release(self, name: str, caller: str) -> Job:
        return self._act(name, caller, lambda job: self._release(job, caller))

    def requeue(self, name: str, caller: str, after: int | None = None, waiting: WaitingJobs | None = None) -> Job:
        """Requeues the job. Raises AttemptCapReached or OwnerCapReached.

        Raises UnreadableBody if the job's request is still unreadable. A call for many jobs passes its own `waiting` to
        each requeue, so that it reads the waiting jobs once.
        """
        known = waiting or WaitingJobs(self.index)
        return self._act(name, caller, lambda job: self._requeue(job, caller, after, known))

    def update(self, name: str, update: JobUpdate, caller: str) -> Job:
        """Changes the job's options or its time limit.

        Raises the same BadRequest errors as a submission, such as RuleViolated for a time limit that the rules do not
        allow.
        """
        return self._act(name, caller, lambda job: self._update(job, update, caller))

    def approve(self, name: str, caller: str, max_runtime: int | None = None) -> Job:
        """Approves another owner's job for a rule that requires it, up to a time limit. Raises NoApprovalNeeded."""
        return change_job(self.jobs, job_named(self.jobs, name), lambda job: self._approve(job, caller, max_runtime))

    def top(self, name: str, caller: str, *, even_if_first: bool = False) -> Job:
        """Moves the job to the top. Without `even_if_first`, changes nothing if the index shows that it is there."""
        return self._act(name, caller, lambda job: self._move_to_top(job, caller, even_if_first=even_if_first))

    def _update(self, job: Job, update: JobUpdate, caller: str) -> Job:
        now, configuration = self.clock.now(), self.admission.configuration.current()
        changed = updated(job, update, caller, now, configuration.calendar.time_zone)
        if changed.options.retries != job.options.retries:
            configuration.retries.refuse_more_retries(changed.options.retries)
        if not asks_for_more(job, changed):
            return changed
        warnings = [warning for warning in job.status.warnings if warning.rule == QUEUE]
        lacks: list[list[Violation]] = []
        for before, after in zip(job.each_choice, changed.each_choice, strict=True):
            request = self.jobs.request(job.name, after.spec.choice)
            found = self.admission.admit_change(before, after, request, now)
            warnings += found
            lacks.append([warning for warning in found if warning.approvable])
        changed = replace(changed, status=replace(changed.status, warnings=tuple(dict.fromkeys(warnings))))
        return after_judgement(changed, lacks, now)

    def _approve(self, job: Job, caller: str, max_runtime: int | None) -> Job:
        self.admission.authorization.require_approver(job, caller)
        if job.status.approval and all(choice.is_approved for choice in job.each_choice):
            return job
        now = self.clock.now()
        approved = user_actions.approve(job, caller, now, max_runtime)  # refuses a finished job first
        lacks = self._lacks_approval_for(job)
        if any(lacks):
            return approved
        if job.needs_approval:  # the rules have changed since it was parked
            return after_judgement(job, lacks, now)
        raise NoApprovalNeeded(job.name)

    def _lacks_approval_for(self, job: Job) -> list[tuple[Violation, ...]]:
        """Returns, for each of the job's choices, the violations that an approval would allow."""
        configuration, now = self.admission.configuration.current(), self.clock.now()
        choices = [(choice, self.jobs.request(job.name, choice.spec.choice)) for choice in job.each_choice]
        return [self.admission.verdict(configuration, choice, request, now).approvable for choice, request in choices]

    def _release(self, job: Job, caller: str) -> Job:
        released = user_actions.release(job, caller, self.clock.now())
        if released is not job and job.place:
            refuse_release(self.arrays.array(job.place.array), job.name)
        return released

    def _requeue(self, job: Job, caller: str, after: int | None, waiting: WaitingJobs) -> Job:
        requeued = user_actions.requeue(job, caller, self.clock.now(), after)
        if requeued is not job:
            if job.place:
                refuse_requeue(self.arrays.array(job.place.array), job.name)
            if job.status.reason.code is ReasonCode.UNREADABLE_REQUEST:
                self.jobs.request(job.name, job.spec.choice)
            user_actions.refuse_attempts_beyond(job, self.admission.configuration.current().retries.attempts_per_job)
            if job.is_finished:  # unfinished jobs already count as waiting, or hold budget
                waiting.discard(job)  # from a try that ended in a conflict
                self.admission.refuse_another_waiting(job.owner, waiting.count)
                waiting.add(requeued)
        return requeued

    def _move_to_top(self, job: Job, caller: str, *, even_if_first: bool) -> Job:
        is_first = not even_if_first and self.index.is_first(job)
        return user_actions.move_to_top(job, caller, self.clock.now(), is_first=is_first)

    def _act(self, name: str, caller: str, action: Callable[[Job], Job]) -> Job:
        def action_of_caller(job: Job) -> Job:
            self.admission.authorization.require_control(job, caller)
            return action(job)

        return change_job(self.jobs, job_named(self.jobs, name), action_of_caller)


def change_job(jobs: JobStore, job: Job, action: Callable[[Job], Job]) -> Job:
    """Saves the job as the action returns it. If a cycle has written the job, reads it and acts again.

    Raises UnreadableJob, or StaleJob after MAX_TRIES.
    """
    for _ in range(MAX_TRIES):
        if not job.is_readable:
            raise UnreadableJob(job.name)
        changed = action(job)
        if changed is job:
            return job
        try:
            return jobs.save(changed, by=API)
        except StaleJob:
            job = job_named(jobs, job.name)
    raise StaleJob(job.name)
