"""The moment when a job would start: what operators have laid down may have changed since it was accepted."""

from functools import cached_property

from scheduler.admission.admission import Admission
from scheduler.core.callers.permissions import Callers
from scheduler.core.guardrails.rules import Rules
from scheduler.core.guardrails.unreadable import UNREADABLE
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.errors.internal import DocumentUnreadable, SchedulerError
from scheduler.errors.refusals import UnreadableBody
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.ports.training import TrainingRequest


class LaunchRefused(SchedulerError):
    """Something is against the start of a job, until somebody acts."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


class LaunchCheck:
    """Who may run what, and the rules, as they are when they are first asked for."""

    def __init__(self, admission: Admission, store: JobStore, clock: Clock) -> None:
        self._gate = admission
        self._store = store
        self._clock = clock

    def request(self, job: Job) -> TrainingRequest:
        """What to start it with, as it was submitted.

        Raises Barred with the reason to park it. Raises BodyUnavailable, or DocumentUnreadable for every job: later it
        may start.
        """
        if self._rules is UNREADABLE or not self._callers.are_readable:
            raise DocumentUnreadable
        try:
            request = self._store.request(job.name, job.choice)
        except UnreadableBody as error:
            raise LaunchRefused(Reason(ReasonCode.UNREADABLE_REQUEST, str(error))) from error
        if denials := self._callers.objections(job, request):
            raise LaunchRefused(Reason(ReasonCode.NOT_PERMITTED, "; ".join(map(str, denials))))
        if objections := self._gate.objections(self._rules, job, request, self._clock.now()):
            raise LaunchRefused(Reason(ReasonCode.RULE_VIOLATED, "; ".join(map(str, objections))))
        return request

    @cached_property
    def _callers(self) -> Callers:
        return self._gate.access.callers()

    @cached_property
    def _rules(self) -> Rules:
        return self._gate.rules()
