"""Checks a job again at launch: rules and permissions may have changed since it was accepted."""

from functools import cached_property

from scheduler.admission.admission import Admission
from scheduler.core.callers.permissions import Callers
from scheduler.core.guardrails.rules import UNREADABLE_RULES, Rules
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.errors.internal import DocumentUnreadable, SchedulerError
from scheduler.errors.refusals import UnreadableBody
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.ports.training import TrainingRequest


class LaunchRefused(SchedulerError):
    """The job may not start until an operator or its owner acts."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


class LaunchCheck:
    """Checks jobs by the callers document and the rules, read once when first needed."""

    def __init__(self, admission: Admission, jobs: JobStore, clock: Clock) -> None:
        self._admission = admission
        self._jobs = jobs
        self._clock = clock

    def request(self, job: Job) -> TrainingRequest:
        """Returns the submitted request to start the job with.

        Raises LaunchRefused with the reason to park the job. Raises BodyUnavailable, or DocumentUnreadable for every
        job: then it may start later.
        """
        if self._rules is UNREADABLE_RULES or not self._callers.are_readable:
            raise DocumentUnreadable
        try:
            request = self._jobs.request(job.name, job.spec.choice)
        except UnreadableBody as error:
            raise LaunchRefused(Reason(ReasonCode.UNREADABLE_REQUEST, str(error))) from error
        if denials := self._callers.violations(job, request):
            raise LaunchRefused(Reason(ReasonCode.NOT_PERMITTED, "; ".join(map(str, denials))))
        if violations := self._admission.violations(self._rules, job, request, self._clock.now()):
            raise LaunchRefused(Reason(ReasonCode.RULE_VIOLATED, "; ".join(map(str, violations))))
        return request

    @cached_property
    def _callers(self) -> Callers:
        return self._admission.authorization.callers()

    @cached_property
    def _rules(self) -> Rules:
        return self._admission.rules()
