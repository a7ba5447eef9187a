"""Accepts submissions: validates and checks each request, and stores it as a job that the cycle schedules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scheduler.admission.admission import Admission, WaitingJobs
from scheduler.core.calendar.times.option_values import refuse_past
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.guardrails.approvals import after_judgement
from scheduler.core.history.callbacks.callback import AllowedCallbacks, Callback, refuse_more_callbacks
from scheduler.core.jobs import user_actions
from scheduler.core.jobs.dependencies.predecessor import Predecessor, UnreadablePredecessor
from scheduler.core.jobs.dependencies.successors import at_submission
from scheduler.core.jobs.dependencies.verdict import Outlook, never_satisfied, verdict_on
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.start_conditions import array_key
from scheduler.core.jobs.work.kind import name_in
from scheduler.core.requests.alternatives import expand_alternatives, point_refusals_at_choice
from scheduler.core.requests.job_building import build_job, with_choices
from scheduler.core.requests.options import read_options
from scheduler.core.requests.predecessor_models import models_used, refuse_unusable_models, with_example_models
from scheduler.core.requests.unheeded import unheeded
from scheduler.errors.internal import UnknownJob
from scheduler.errors.refusals import IntakeClosed, NameTaken, NameUsed, TokenReused, Violation
from scheduler.errors.unreadable import UnreadableJob
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.callbacks import CallbackStore
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import Dependencies, JobIndex
from scheduler.ports.job_store import JobStore
from scheduler.queue.job_actions import change_job
from scheduler.queue.job_status import JOB_NAME, CurrentStatus, JobStatusReader


@dataclass(frozen=True, slots=True)
class Submission:
    """A user's submission: a Create request, options, a client token and callbacks."""

    request: dict[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    client_token: str | None = None
    on_end: Mapping[str, Any] = field(default_factory=dict)  # callbacks, which belong to the call and not to the job


@dataclass(frozen=True, slots=True)
class Submissions:
    snapshot_reader: SnapshotReader
    jobs: JobStore
    dependencies: Dependencies
    index: JobIndex
    clock: Clock
    job_status_reader: JobStatusReader
    refuse_invalid: Callable[[object], None]
    admission: Admission
    callbacks: CallbackStore
    allowed_callbacks: AllowedCallbacks

    def for_one_call(self) -> "Submissions":
        """Returns a copy for one call, which reads the controls and the configuration only once.

        This way, the check and the answer use the same values.
        """
        snapshot_reader, answers = self.snapshot_reader.read_settings_once(), self.job_status_reader.snapshot_reader
        answers = replace(answers, controls=snapshot_reader.controls, configuration=snapshot_reader.configuration)
        return replace(
            self,
            snapshot_reader=snapshot_reader,
            job_status_reader=replace(self.job_status_reader, snapshot_reader=answers),
            admission=self.admission.reading(snapshot_reader.configuration),
        )

    def submit(self, submission: Submission, caller: str) -> tuple[CurrentStatus, bool]:
        """Submits a job. Returns its status, and whether the job is new. Raises BadRequest.

        Until the job ends, a submission with the same name and body returns the same job, which is queued again if it
        is parked. A submission with the job's token returns the job even after it ends. With a token, the owner must be
        the same, too.
        """
        callers = self.admission.authorization.require(Verb.SUBMIT, caller)
        existing = self._job_of_name(submission, caller)
        job, requests = self._build_job(submission, caller)
        callbacks = self.allowed_callbacks.read(submission.on_end, job.name, job.submitted_at)
        if repeated := self._repeated(job, existing):
            return self._repeat(repeated, callbacks, caller), False
        self._refuse_name_of_child(job.name)
        self._refuse_beyond_cap(job)
        job, lacks = self._admit(job, requests, callers)
        job = after_judgement(job, lacks, job.submitted_at)
        try:
            self.jobs.submit(job, *requests, callbacks=callbacks)
        except (NameTaken, TokenReused):
            if repeated := self._repeated(job, self._job_of_name(submission, caller)):
                # The same call arrived twice at the same time.
                return self._repeat(repeated, callbacks, caller), False
            raise
        return self.job_status_reader.of(job), True

    def _repeat(self, job: Job, callbacks: Sequence[Callback], caller: str) -> CurrentStatus:
        """Returns the status of the stored job. When a state machine repeats its call, it sends a new token."""
        if callbacks:
            refuse_more_callbacks(self.callbacks.open_for(job.name), callbacks)
            self.callbacks.add(callbacks)
        return self.job_status_reader.of(change_job(self.jobs, job, lambda stored: self._unpark(stored, caller)))

    def preview(self, submission: Submission, caller: str) -> tuple[Job, frozenset[tuple[str, int]]]:
        """Returns the job that the submission would create, and its choices that need an approval.

        Raises the same errors as a submission.
        """
        callers = self.admission.authorization.require(Verb.SUBMIT, caller)
        existing = self._job_of_name(submission, caller)
        job, requests = self._build_job(submission, caller)
        if repeated := self._repeated(job, existing):
            return repeated, frozenset()
        self._refuse_name_of_child(job.name)
        self._refuse_beyond_cap(job)
        job, lacks = self._admit(job, requests, callers)
        closed = frozenset((job.name, number) for number, found in enumerate(lacks) if found)
        return after_judgement(job, lacks, job.submitted_at), closed

    def new_job(self, submission: Submission, caller: str) -> Job:
        """Returns the job that the submission would create.

        Raises NameTaken if any job has its name. Even an identical job proves nothing, because earlier rules may have
        admitted it. The cap on the owner's waiting jobs is not checked.
        """
        callers = self.admission.authorization.require(Verb.SUBMIT, caller)
        if existing := self._job_of_name(submission, caller):
            raise NameTaken(existing.name)
        job, requests = self._build_job(submission, caller)
        admitted, _ = self._admit(job, requests, callers)
        return admitted

    def _build_job(self, submission: Submission, caller: str) -> tuple[Job, tuple[Mapping[str, Any], ...]]:
        """Returns the job, and the request for each of its choices. Raises BadRequest."""
        given, token = submission.request, submission.client_token
        self.refuse_invalid(with_example_models(given))
        options, budget = read_options(given, submission.options), self.snapshot_reader.budget_for_submissions()
        zone, now = self.snapshot_reader.configuration.current().calendar.time_zone, self.clock.now()
        completed, notes = self.admission.completed(given, options.of_job, caller, now)
        if notes:
            self.refuse_invalid(with_example_models(completed))  # one more tag can exceed SageMaker's limit
        job = build_job(
            given,
            options,
            owner=caller,
            budget=budget,
            now=now,
            client_token=token,
            time_zone=zone,
            completed=completed,
        )
        job = replace(job, status=replace(job.status, warnings=notes))
        requests = expand_alternatives(completed, options.alternatives)
        for number, request in enumerate(requests[1:], start=1):
            with point_refusals_at_choice(number, job.options):
                self.refuse_invalid(with_example_models(request))
        dependencies = replace(job.options.dependencies, models=models_used(requests, job.options.dependencies))
        job = replace(job, options=replace(job.options, dependencies=dependencies))
        return with_choices(job, requests, options.alternatives, budget), requests

    def _job_of_name(self, submission: Submission, caller: str) -> Job | None:
        """Returns the stored job with this name if the caller owns or controls it. Raises NameTaken or UnreadableJob.

        This check comes first, so strangers get the same answer whatever else is in the body.
        """
        name = name_in(submission.request)
        if not (isinstance(name, str) and JOB_NAME.fullmatch(name)):
            return None  # no job can have such a name
        existing = self._stored(name)
        if existing is None:
            return None
        if not existing.is_readable:
            raise UnreadableJob(name)  # it is unknown whether it is the same job
        authorization = self.admission.authorization
        if not (authorization.owned_by(caller)(existing.owner) or authorization.controlled_by(caller)(existing.owner)):
            raise NameTaken(name)  # comparing the bodies would reveal the stored one
        return existing

    def _stored(self, name: str) -> Job | None:
        try:
            return self.jobs.get(name)
        except UnknownJob:
            return None

    def _repeated(self, job: Job, existing: Job | None) -> Job | None:
        """Returns the stored job if this submission repeats it, or None. Raises TokenReused, NameTaken or NameUsed.

        Without a token, name and body identify a job only until it ends. After that, the same body may mean different
        code, because SDKs upload changed code to the same place.
        """
        if job.client_token is not None:
            name = self.jobs.name_for_token(job.owner_key, job.client_token)
            same = existing if name == job.name else None
            if name is not None and (same is None or same.digest != job.digest):
                raise TokenReused  # for another job, or for an array
        if existing is None:
            return None
        is_other_submission = (existing.owner_key, existing.client_token) != (job.owner_key, job.client_token)
        if existing.digest != job.digest or (job.client_token is not None and is_other_submission):
            raise NameTaken(job.name)
        if job.client_token is None and existing.is_finished:
            raise NameUsed(job.name, existing.submitted_at, existing.status.state)
        return existing

    def _refuse_name_of_child(self, name: str) -> None:
        """Raises NameTaken if an array's child has this name, or will have it: that child would fail."""
        of_array, _, number = name.rpartition("-")
        if of_array and number.isdecimal():
            array = self.dependencies.arrays_named([of_array]).get(of_array)
            if array is not None and array.index_of(name) is not None:
                raise NameTaken(name)

    def _refuse_beyond_cap(self, job: Job) -> None:
        self.admission.refuse_another_waiting(job.owner, WaitingJobs(self.index).count)

    def _admit(
        self, job: Job, requests: Sequence[Mapping[str, Any]], callers: Callers
    ) -> tuple[Job, list[list[Violation]]]:
        """Checks each choice like a separate request.

        Returns the job with its warnings, and for each choice the violations that an approval would allow.
        """
        if not self.snapshot_reader.controls.read().intake_open:
            raise IntakeClosed
        job = self._after_predecessors(job)
        now, pool_rules, warnings = self.clock.now(), self.snapshot_reader.pool_rules(), [*job.status.warnings]
        approvable: list[list[Violation]] = []
        refuse_past(job.options.times, now)
        self.admission.configuration.current().retries.refuse_more_retries(job.options.retries)
        for option, request in zip(job.each_choice, requests, strict=True):
            with point_refusals_at_choice(option.spec.choice, job.options):
                found = self.admission.admit(option, request, callers, now).status.warnings
                warnings += found
                approvable.append([warning for warning in found if warning.approvable])
                warnings += unheeded(option, request, pool_rules)
        return replace(job, status=replace(job.status, warnings=tuple(dict.fromkeys(warnings)))), approvable

    def _after_predecessors(self, job: Job) -> Job:
        """Returns the job, which waits unless its dependencies are satisfied. Raises BadRequest if they can never be
        satisfied.

        Dependencies name existing jobs and arrays, and stay the same, so no two jobs wait for each other. If a job and
        an array have the same name, the name means the job.
        """
        names = job.options.dependencies.predecessors
        if not names:
            return job
        found: dict[str, Predecessor] = {**self.dependencies.predecessors(names)}
        others = [name for name in names if name not in found]
        arrays = self.dependencies.arrays_named(others) if others else {}
        found |= {array_key(name): array or UnreadablePredecessor() for name, array in arrays.items()}
        dependencies = replace(job.options.dependencies, arrays=tuple(name for name in names if name in arrays))
        job = replace(job, options=replace(job.options, dependencies=dependencies))
        verdict = verdict_on(dependencies, found)
        if verdict.outlook is Outlook.NEVER:
            raise never_satisfied(dependencies, verdict)
        refuse_unusable_models(dependencies, found, self.admission.authorization.controlled_by(job.owner))
        return at_submission(job, verdict, found)

    def _unpark(self, job: Job, caller: str) -> Job:
        tried_again = user_actions.unpark(job, caller, self.clock.now())
        if tried_again is not job:
            self.admission.authorization.require_control(job, caller)
            attempts = self.admission.configuration.current().retries.attempts_per_job
            user_actions.refuse_attempts_beyond(job, attempts)
        return tried_again
