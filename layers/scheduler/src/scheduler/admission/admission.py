"""The queue's doors: nothing comes in, and nothing starts, against the rules or beyond what its owner may."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import evolve, frozen

from scheduler.admission.authorization import Authorization, refuse_objections
from scheduler.core.callers.permissions import Callers
from scheduler.core.guardrails.rules import NO_RULES, Rules, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import Team, team_of
from scheduler.core.requests.attempt_request import on_demand
from scheduler.errors.config_errors import BadRules
from scheduler.errors.refusals import RuleViolated
from scheduler.errors.violation import Violation
from scheduler.ports.config_store import DocumentStore

logger = logging.getLogger(__name__)


@frozen
class Admission:
    store: DocumentStore
    access: Authorization
    teams: tuple[Team, ...] = ()

    def rules(self) -> Rules:
        """What is in force now. A document that cannot be read is one rule that fails."""
        document = self.store.latest()
        if document is None:
            return NO_RULES
        from scheduler.core.guardrails.document import rules_of  # here, so that a queue without any starts sooner
        from scheduler.core.guardrails.unreadable import UNREADABLE

        try:
            return rules_of(document.text)
        except BadRules as error:
            logger.error("unreadable rules", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return UNREADABLE

    def admit(self, job: Job, request: Mapping[str, Any], callers: Callers, now: datetime) -> Job:
        """The job with the warnings that it is accepted with. Raises NotPermitted or RuleViolated."""
        refuse_objections(callers.objections(job, request))
        rules = self.rules()
        verdict = self.verdict(rules, job, request, now)
        if against := verdict.against(rules.failing.launching):
            raise RuleViolated(against)
        return evolve(job, warnings=verdict.warnings)

    def refuse_promotion(self, job: Job, promoted: Job, request: Mapping[str, Any], now: datetime) -> None:
        """Raises NotPermitted or RuleViolated for what stands against the job only with its new, higher priority."""
        self.access.refuse_promotion(job, promoted, request)
        rules = self.rules()
        known = self.objections(rules, job, request, now)
        if against := tuple(one for one in self.objections(rules, promoted, request, now) if one not in known):
            raise RuleViolated(against)

    def objections(self, rules: Rules, job: Job, request: Mapping[str, Any], now: datetime) -> tuple[Violation, ...]:
        """Why the job may not start."""
        return self.verdict(rules, job, request, now).against(rules.failing.launching)

    def verdict(self, rules: Rules, job: Job, request: Mapping[str, Any], now: datetime) -> Verdict:
        team = team_of(job.owner, self.teams)
        request = on_demand(request) if job.on_demand else request  # as it would be sent
        subject = Subject(job.name, request, job.owner, team.name if team else "", job.priority)
        verdict = rules.check(subject, now)
        for rule in verdict.broken:
            logger.error("broken rule", extra={"rule": rule, "job": job.name})
        return verdict
