"""The operator's rules at the moment when a job would start: they may have changed since it was accepted."""

from dataclasses import dataclass

from scheduler.domain.job import Job
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.gate import Gate
from scheduler.policy.callers.permissions import Callers
from scheduler.policy.guardrails.rules import Rules
from scheduler.ports import Clock, JobStore
from scheduler.refusals import UnreadableBody


@dataclass(frozen=True, slots=True)
class StartGate:
    """Who may run what, and the rules, as they were when the plan was made."""

    callers: Callers
    rules: Rules
    gate: Gate
    store: JobStore
    clock: Clock

    @classmethod
    def now(cls, gate: Gate, store: JobStore, clock: Clock) -> "StartGate":
        return cls(gate.access.callers(), gate.rules(), gate, store, clock)

    def objection(self, job: Job) -> Reason | None:
        """Why the rules are against it now, or its owner may not run it. Raises BodyUnavailable."""
        if not (self.rules.are_enforced or self.callers.are_set):
            return None
        try:
            request = self.store.request(job.name)
        except UnreadableBody as error:
            return Reason(ReasonCode.UNREADABLE_REQUEST, str(error))
        if self.callers.are_set and (denials := self.callers.objections(job, request)):
            return Reason(ReasonCode.NOT_PERMITTED, "; ".join(map(str, denials)))
        objections = self.gate.objections(self.rules, job, request, self.clock.now())
        return Reason(ReasonCode.RULE_VIOLATED, "; ".join(map(str, objections))) if objections else None
