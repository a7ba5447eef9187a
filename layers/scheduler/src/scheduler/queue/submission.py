"""The queue as people see it: submit, show, list. Scheduling itself is the cycle's."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from scheduler.admission.admission import Admission
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.jobs import user_actions
from scheduler.core.jobs.job import Job
from scheduler.core.requests.alternatives import expand_alternatives, point_refusals_at_choice
from scheduler.core.requests.job_building import build_job, with_choices
from scheduler.core.requests.options import read_options
from scheduler.errors.internal import UnknownJob
from scheduler.errors.refusals import IntakeClosed, NameTaken, OwnerCapReached, TokenReused, UnreadableJob
from scheduler.errors.violation import Violation
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.queue.job_status import JobStatus, JobStatusReader


@frozen
class Submission:
    """What somebody sends: a CreateTrainingJob request, and what is given beside it."""

    request: dict[str, Any]
    options: Mapping[str, Any] = field(factory=dict)
    client_token: str | None = None


@frozen
class Submissions:
    snapshot_reader: SnapshotReader
    store: JobStore
    clock: Clock
    job_status_reader: JobStatusReader
    refuse_invalid: Callable[[object], None]
    admission: Admission

    def submit(self, submission: Submission, caller: str) -> tuple[JobStatus, bool]:
        """Take a job in; the flag tells whether it is new. Raises BadRequest.

        The same name with the same body is the same job, however often it is sent; a parked job tries again then. A
        client's token makes sure that it is also the same caller's.
        """
        return self._for_one_call()._submit(submission, caller)

    def preview(self, submission: Submission, caller: str) -> Job:
        """The job that it would become. Raises the BadRequest that it would get."""
        callers = self.admission.access.require(Verb.SUBMIT, caller)
        job, requests = self._read(submission, caller)
        return self._known(job) or self._admitted(job, requests, callers)

    def _for_one_call(self) -> "Submissions":
        """What holds of the budget when a job is taken in is what its answer goes by."""
        snapshot_reader, answers = self.snapshot_reader.with_cached_settings(), self.job_status_reader.snapshot_reader
        answers = evolve(answers, controls=snapshot_reader.controls, budget_schedule=snapshot_reader.budget_schedule)
        return evolve(
            self,
            snapshot_reader=snapshot_reader,
            job_status_reader=evolve(self.job_status_reader, snapshot_reader=answers),
        )

    def _submit(self, submission: Submission, caller: str) -> tuple[JobStatus, bool]:
        callers = self.admission.access.require(Verb.SUBMIT, caller)
        job, requests = self._read(submission, caller)
        if known := self._known(job):
            return self.job_status_reader.of(self._unparked(known, caller)), False
        job = self._admitted(job, requests, callers)
        try:
            self.store.submit(job, *requests)
        except (NameTaken, TokenReused):
            if known := self._known(job):  # the same call came twice at the same moment
                return self.job_status_reader.of(self._unparked(known, caller)), False
            raise
        return self.job_status_reader.of(job), True

    def _read(self, submission: Submission, caller: str) -> tuple[Job, tuple[Mapping[str, Any], ...]]:
        """The job, and the request of each of its choices."""
        self.refuse_invalid(submission.request)
        options, budget = (
            read_options(submission.request, submission.options),
            self.snapshot_reader.budget_for_submissions(),
        )
        job = build_job(
            submission.request,
            options,
            owner=caller,
            budget=budget,
            now=self.clock.now(),
            client_token=submission.client_token,
        )
        requests = expand_alternatives(submission.request, options.alternatives)
        for number, request in enumerate(requests[1:], start=1):
            with point_refusals_at_choice(number):
                self.refuse_invalid(request)
        return with_choices(job, requests, options.alternatives, budget), requests

    def _known(self, job: Job) -> Job | None:
        """The job that this one is once more; None if it is new. Raises TokenReused, NameTaken or UnreadableJob."""
        if job.client_token is not None:
            name = self.store.name_for_token(job.owner_key, job.client_token)
            if name is not None and (name != job.name or self.store.get(name).digest != job.digest):
                raise TokenReused
        try:
            existing = self.store.get(job.name)
        except UnknownJob:
            return None
        if not existing.is_readable:
            raise UnreadableJob(job.name)  # nobody can say whether it is the same
        if existing.digest != job.digest or not _is_from_same_hand(existing, job):
            raise NameTaken(job.name)
        return existing

    def _admitted(self, job: Job, requests: Sequence[Mapping[str, Any]], callers: Callers) -> Job:
        """Each choice is judged like a request of its own."""
        if not self.snapshot_reader.controls.read().intake_open:
            raise IntakeClosed
        self._refuse_over_cap(job)
        now, warnings = self.clock.now(), list[Violation]()
        for option, request in zip(job.each_choice, requests, strict=True):
            with point_refusals_at_choice(option.choice):
                warnings += self.admission.admit(option, request, callers, now).warnings
        return evolve(job, warnings=tuple(dict.fromkeys(warnings)))

    def _refuse_over_cap(self, job: Job) -> None:
        """As far as is known now: jobs that are submitted at one moment may pass the cap together."""
        cap = self.snapshot_reader.policy.queued_per_owner
        if cap and job.is_queued and (waiting := self.store.count_waiting(job.owner_key)) >= cap:
            raise OwnerCapReached(waiting, cap)

    def _unparked(self, job: Job, caller: str) -> Job:
        tried_again = user_actions.unpark(job, caller, self.clock.now())
        if tried_again is job:
            return job
        self.admission.access.require_control(job, caller)
        return self.store.save(tried_again, by="api")


def _is_from_same_hand(existing: Job, job: Job) -> bool:
    """Without a token the body is identity enough."""
    owner_key = (job.owner_key, job.client_token)
    return job.client_token is None or (existing.owner_key, existing.client_token) == owner_key
