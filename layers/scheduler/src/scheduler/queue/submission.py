"""Accepts submissions: validates a request, checks it, and stores it as a job, which the cycle schedules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scheduler.admission.admission import Admission
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.jobs import user_actions
from scheduler.core.jobs.job import Job
from scheduler.core.requests.alternatives import expand_alternatives, point_refusals_at_choice
from scheduler.core.requests.job_building import build_job, with_choices
from scheduler.core.requests.options import read_options
from scheduler.errors.internal import UnknownJob
from scheduler.errors.refusals import IntakeClosed, NameTaken, OwnerCapReached, TokenReused, UnreadableJob, Violation
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import JobStore
from scheduler.queue.job_status import CurrentStatus, JobStatusReader


@dataclass(frozen=True, slots=True)
class Submission:
    """A user's input: a CreateTrainingJob request, options, and a client token."""

    request: dict[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    client_token: str | None = None


@dataclass(frozen=True, slots=True)
class Submissions:
    snapshot_reader: SnapshotReader
    jobs: JobStore
    index: JobIndex
    clock: Clock
    job_status_reader: JobStatusReader
    refuse_invalid: Callable[[object], None]
    admission: Admission

    def submit(self, submission: Submission, caller: str) -> tuple[CurrentStatus, bool]:
        """Submits a job and returns its status, and whether it is new. Raises BadRequest.

        The same name and body are the same job, queued again if parked. A token ensures that it is the same owner's.
        """
        return self._for_one_call()._submit(submission, caller)

    def preview(self, submission: Submission, caller: str) -> Job:
        """Returns the job that the submission would become. Raises the BadRequest that it would get."""
        callers = self.admission.authorization.require(Verb.SUBMIT, caller)
        job, requests = self._build_job(submission, caller)
        return self._existing_job(job) or self._admit(job, requests, callers)

    def _for_one_call(self) -> "Submissions":
        """Returns a copy that reads the budget once, so that the check and the answer use the same budget."""
        snapshot_reader, answers = self.snapshot_reader.with_cached_settings(), self.job_status_reader.snapshot_reader
        answers = replace(answers, controls=snapshot_reader.controls, budget_schedule=snapshot_reader.budget_schedule)
        return replace(
            self,
            snapshot_reader=snapshot_reader,
            job_status_reader=replace(self.job_status_reader, snapshot_reader=answers),
        )

    def _submit(self, submission: Submission, caller: str) -> tuple[CurrentStatus, bool]:
        callers = self.admission.authorization.require(Verb.SUBMIT, caller)
        job, requests = self._build_job(submission, caller)
        if existing := self._existing_job(job):
            return self.job_status_reader.of(self._unpark(existing, caller)), False
        job = self._admit(job, requests, callers)
        try:
            self.jobs.submit(job, *requests)
        except (NameTaken, TokenReused):
            if existing := self._existing_job(job):  # the same call arrived twice at the same moment
                return self.job_status_reader.of(self._unpark(existing, caller)), False
            raise
        return self.job_status_reader.of(job), True

    def _build_job(self, submission: Submission, caller: str) -> tuple[Job, tuple[Mapping[str, Any], ...]]:
        """Returns the job, and the request of each of its choices. Raises BadRequest."""
        given, token = submission.request, submission.client_token
        self.refuse_invalid(given)
        options, budget = read_options(given, submission.options), self.snapshot_reader.budget_for_submissions()
        job = build_job(given, options, owner=caller, budget=budget, now=self.clock.now(), client_token=token)
        requests = expand_alternatives(given, options.alternatives)
        for number, request in enumerate(requests[1:], start=1):
            with point_refusals_at_choice(number):
                self.refuse_invalid(request)
        return with_choices(job, requests, options.alternatives, budget), requests

    def _existing_job(self, job: Job) -> Job | None:
        """Returns the stored job that this repeats, or None. Raises TokenReused, NameTaken or UnreadableJob."""
        if job.client_token is not None:
            name = self.jobs.name_for_token(job.owner_key, job.client_token)
            if name is not None and (name != job.name or self.jobs.get(name).digest != job.digest):
                raise TokenReused
        try:
            existing = self.jobs.get(job.name)
        except UnknownJob:
            return None
        if not existing.is_readable:
            raise UnreadableJob(job.name)  # it is unknown whether it is the same job
        # Without a token, name and body identify the job.
        is_other_submission = (existing.owner_key, existing.client_token) != (job.owner_key, job.client_token)
        if existing.digest != job.digest or (job.client_token is not None and is_other_submission):
            raise NameTaken(job.name)
        return existing

    def _admit(self, job: Job, requests: Sequence[Mapping[str, Any]], callers: Callers) -> Job:
        """Checks each choice like a request of its own, and returns the job with its warnings."""
        if not self.snapshot_reader.controls.read().intake_open:
            raise IntakeClosed
        self._refuse_over_cap(job)
        now, warnings = self.clock.now(), list[Violation]()
        for option, request in zip(job.each_choice, requests, strict=True):
            with point_refusals_at_choice(option.spec.choice):
                warnings += self.admission.admit(option, request, callers, now).status.warnings
        return replace(job, status=replace(job.status, warnings=tuple(dict.fromkeys(warnings))))

    def _refuse_over_cap(self, job: Job) -> None:
        """Checks the owner's cap by what is known now: jobs submitted at the same moment may pass it together."""
        cap = self.snapshot_reader.policy.queued_per_owner
        if cap and job.is_queued and (waiting := self.index.count_waiting(job.owner_key)) >= cap:
            raise OwnerCapReached(waiting, cap)

    def _unpark(self, job: Job, caller: str) -> Job:
        tried_again = user_actions.unpark(job, caller, self.clock.now())
        if tried_again is job:
            return job
        self.admission.authorization.require_control(job, caller)
        return self.jobs.save(tried_again, by="api")
