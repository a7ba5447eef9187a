"""Checks jobs against the rules and their owner's permissions, before they are accepted and before they start."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from scheduler.admission.authorization import Authorization, refuse_violations
from scheduler.core.callers.permissions import Callers
from scheduler.core.guardrails.document import rules_of
from scheduler.core.guardrails.rules import NO_RULES, UNREADABLE_RULES, Rules, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import Team, team_of
from scheduler.core.requests.attempt_request import on_demand
from scheduler.errors.config_errors import BadDocument
from scheduler.errors.internal import DocumentUnreadable, SchedulerError
from scheduler.errors.refusals import RuleViolated, UnreadableBody, Violation
from scheduler.ports.clock import Clock
from scheduler.ports.config_store import DocumentStore
from scheduler.ports.job_store import JobStore
from scheduler.ports.training import TrainingRequest

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Admission:
    """Checks jobs by the applied rules and callers document."""

    store: DocumentStore
    authorization: Authorization
    teams: tuple[Team, ...] = ()

    def rules(self) -> Rules:
        """Returns the applied rules. If the document cannot be read, they are one rule that always fails."""
        document = self.store.latest()
        if document is None:
            return NO_RULES
        try:
            return rules_of(document.text)
        except BadDocument as error:
            logger.error("unreadable rules", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return UNREADABLE_RULES

    def admit(self, job: Job, request: Mapping[str, Any], callers: Callers, now: datetime) -> Job:
        """Returns the job with its warnings. Raises NotPermitted or RuleViolated."""
        refuse_violations(callers.violations(job, request))
        rules = self.rules()
        verdict = self.verdict(rules, job, request, now)
        if violations := verdict.violations(rules.failing.launching):
            raise RuleViolated(violations)
        return replace(job, status=replace(job.status, warnings=verdict.warnings))

    def refuse_promotion(self, job: Job, promoted: Job, request: Mapping[str, Any], now: datetime) -> None:
        """Raises NotPermitted or RuleViolated for violations that the job has only with its new, higher priority."""
        callers = self.authorization.callers()
        before = callers.violations(job, request)
        refuse_violations(tuple(found for found in callers.violations(promoted, request) if found not in before))
        rules = self.rules()
        before = self.violations(rules, job, request, now)
        after = self.violations(rules, promoted, request, now)
        if new := tuple(violation for violation in after if violation not in before):
            raise RuleViolated(new)

    def violations(self, rules: Rules, job: Job, request: Mapping[str, Any], now: datetime) -> tuple[Violation, ...]:
        """Returns why the job may not start."""
        return self.verdict(rules, job, request, now).violations(rules.failing.launching)

    def verdict(self, rules: Rules, job: Job, request: Mapping[str, Any], now: datetime) -> Verdict:
        """Returns all violations and warnings of the job, and logs rules that fail."""
        team = team_of(job.owner, self.teams)
        request = on_demand(request) if job.status.on_demand else request  # the request as it would be sent
        subject = Subject(job.name, request, job.owner, team.name if team else "", job.options.priority)
        verdict = rules.check(subject, now)
        for rule in verdict.failed_rules:
            logger.error("broken rule", extra={"rule": rule, "job": job.name})
        return verdict


class LaunchRefused(SchedulerError):
    """The job may not start until an operator or its owner acts."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


@dataclass
class LaunchCheck:
    """Checks jobs again at launch: rules and permissions may have changed since. Both are read once, when needed."""

    admission: Admission
    jobs: JobStore
    clock: Clock

    def request(self, job: Job) -> TrainingRequest:
        """Returns the submitted request to start the job with. Raises LaunchRefused with the reason to park the job.

        After BodyUnavailable, or for every job DocumentUnreadable, it may start later.
        """
        if self._rules is UNREADABLE_RULES or not self._callers.are_readable:
            raise DocumentUnreadable
        try:
            request = self.jobs.request(job.name, job.spec.choice)
        except UnreadableBody as error:
            raise LaunchRefused(Reason(ReasonCode.UNREADABLE_REQUEST, str(error))) from error
        if denials := self._callers.violations(job, request):
            raise LaunchRefused(Reason(ReasonCode.NOT_PERMITTED, "; ".join(map(str, denials))))
        if violations := self.admission.violations(self._rules, job, request, self.clock.now()):
            raise LaunchRefused(Reason(ReasonCode.RULE_VIOLATED, "; ".join(map(str, violations))))
        return request

    @cached_property
    def _callers(self) -> Callers:
        return self.admission.authorization.callers()

    @cached_property
    def _rules(self) -> Rules:
        return self.admission.rules()
