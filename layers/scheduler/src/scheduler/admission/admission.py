"""Checks jobs against the rules and their owner's permissions, before they are accepted and before they start."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from scheduler.admission.authorization import Authorization, refuse_violations
from scheduler.core.callers.permissions import Callers
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.guardrails.rules import OnFailure, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.job import Job, JobOptions
from scheduler.core.jobs.team import team_chosen, team_of, violations
from scheduler.core.jobs.work.kind import name_in
from scheduler.core.requests.attempt_request import as_changed
from scheduler.core.requests.judged_requests import judged_requests
from scheduler.core.spending.prices.cost import most_of_one_choice
from scheduler.errors.config_errors import UnreadableConfiguration
from scheduler.errors.refusals import OwnerCapReached, RuleViolated, Violation
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.job_index import JobIndex

logger = logging.getLogger(__name__)

#: Counts the waiting jobs whose owners the given function accepts.
CountOf = Callable[[Callable[[str], bool]], int]


@dataclass(slots=True)
class WaitingJobs:
    """Counts owners' waiting jobs for one call, which may requeue hundreds of finished jobs.

    It reads the index once, at the first count, because each read takes longer as the queue grows.
    """

    index: JobIndex
    _by_owner: Counter[str] | None = field(default=None, init=False)
    _added: dict[str, str] = field(default_factory=dict, init=False)  # owners by job

    def add(self, job: Job) -> None:
        """Counts a job that has joined the queue since the read."""
        self._added[job.name] = job.owner

    def discard(self, job: Job) -> None:
        """Stops counting the job, if it was added."""
        self._added.pop(job.name, None)

    def count(self, is_owner: Callable[[str], bool]) -> int:
        if self._by_owner is None:
            self._by_owner = Counter(waiting.owner for waiting in self.index.waiting())
        counts = self._by_owner + Counter(self._added.values())
        return sum(count for owner, count in counts.items() if is_owner(owner))


@dataclass(frozen=True, slots=True)
class Admission:
    """Checks jobs against the rules and permissions of the configuration."""

    configuration: ConfigurationReader
    authorization: Authorization

    def reading(self, configuration: ConfigurationReader) -> "Admission":
        """Returns a copy that reads the configuration through another reader."""
        return replace(
            self, configuration=configuration, authorization=replace(self.authorization, configuration=configuration)
        )

    def admit(self, job: Job, request: Mapping[str, Any], callers: Callers, now: datetime) -> Job:
        """Returns the job with its warnings. Raises NotPermitted, RuleViolated or UnreadableConfiguration."""
        configuration = self.configuration.current()
        if not configuration.is_readable:
            raise UnreadableConfiguration
        refuse_violations(callers.violations(job, request))
        verdict = self.verdict(configuration, job, request, now)
        if violations := verdict.refusals(configuration.rules.failing.launching):
            raise RuleViolated(violations)
        return replace(job, status=replace(job.status, warnings=(*verdict.warnings, *verdict.approvable)))

    def completed(
        self, request: Mapping[str, Any], options: JobOptions, owner: str, now: datetime
    ) -> tuple[Mapping[str, Any], tuple[Violation, ...]]:
        """Returns the request with the defaults that rules add, and a note for the user on each default."""
        configuration = self.configuration.current()
        team = team_chosen(options.team, owner, configuration.teams)
        subject = Subject(name_in(request), request, owner, team.name if team else "", options.priority)
        completed, notes = configuration.rules.completed(subject, now)
        _log_failed((note.rule for note in notes if note.broken), subject.name)
        return completed, notes

    def refuse_another_waiting(self, owner: str, count: CountOf, added: int = 1) -> None:
        """Raises OwnerCapReached if the owner would have more waiting jobs than allowed. Counts only if there is a cap.

        Jobs that arrive at the same moment do not count each other, so their total may exceed the cap.
        """
        if cap := self.configuration.current().policy.queued_per_owner:
            waiting = count(self.authorization.owned_by(owner))
            if waiting + added > cap:
                raise OwnerCapReached(waiting, cap, added)

    def admit_change(self, job: Job, changed: Job, request: Mapping[str, Any], now: datetime) -> tuple[Violation, ...]:
        """Returns the warnings about a changed job, whose stored request stays the same.

        Raises NotPermitted or RuleViolated, but only for violations that the change causes.
        """
        configuration = self.configuration.current()
        callers = self.authorization.callers(configuration)
        known = callers.violations(job, request)
        refuse_violations(tuple(found for found in callers.violations(changed, request) if found not in known))
        failing = configuration.rules.failing.launching
        broken = self.verdict(configuration, job, request, now).refusals(failing)
        verdict = self.verdict(configuration, changed, request, now)
        if new := tuple(violation for violation in verdict.refusals(failing) if violation not in broken):
            raise RuleViolated(new)
        return (*verdict.warnings, *verdict.approvable)

    def verdict(self, configuration: Configuration, job: Job, request: Mapping[str, Any], now: datetime) -> Verdict:
        """Returns all the job's violations and warnings, including its team's limits, and logs rules that fail.

        Leaves out the violations that an approval of the job allows.
        """
        team = team_of(job, configuration.teams)
        verdict, dollars = Verdict(), most_of_one_choice(job, self.configuration.prices(configuration))
        for part in judged_requests(as_changed(request, job)):
            subject = Subject(
                job.name, part.request, job.owner, team.name if team else "", job.options.priority, dollars
            )
            verdict = verdict.also(configuration.rules.check(subject, now), part.field_of)
        _log_failed(verdict.failed_rules, job.name)
        found = verdict.refusals(OnFailure.CLOSED) if job.is_approved else verdict.enforced
        return replace(verdict, enforced=(*found, *violations(job, configuration.teams)))


def _log_failed(rules: Iterable[str], job_name: str) -> None:
    for rule in rules:
        logger.error("broken rule", extra={"rule": rule, "job": job_name})
