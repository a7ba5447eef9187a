"""A set of rules, and what it has against a job."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from scheduler.domain.violation import Violation
from scheduler.policy.guardrails.rule import Breach, Mode, Rule
from scheduler.policy.guardrails.subject import Scope, Subject
from scheduler.policy.recovery.settings import Recovery


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemption:
    rules: tuple[str, ...]  # their names
    jobs: Scope
    owner: str  # who answers for it
    reason: str
    expires_at: datetime

    def covers(self, rule: Rule, subject: Subject, now: datetime) -> bool:
        return now < self.expires_at and rule.name in self.rules and self.jobs.has(subject)


class OnFailure(StrEnum):
    """What a rule that fails itself means for the job."""

    OPEN = "open"  # as if the job kept the rule
    CLOSED = "closed"  # as if it violated the rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Failing:
    launching: OnFailure = OnFailure.CLOSED  # submissions too
    stopping: OnFailure = OnFailure.OPEN


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules have against one job."""

    enforced: tuple[Violation, ...] = ()
    warnings: tuple[Violation, ...] = ()

    def against(self, on_failure: OnFailure) -> tuple[Violation, ...]:
        """What the job is held responsible for."""
        return tuple(one for one in self.enforced if not one.broken or on_failure is OnFailure.CLOSED)

    @property
    def broken(self) -> tuple[str, ...]:
        """Names of the rules that failed themselves."""
        return tuple(one.rule for one in (*self.enforced, *self.warnings) if one.broken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    rules: tuple[Rule, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    failing: Failing = field(default_factory=Failing)
    recovery: Recovery = field(default_factory=Recovery)

    def check(self, subject: Subject, now: datetime) -> Verdict:
        """Everything at once, so that nobody has to try again and again. Raises nothing."""
        found: dict[Mode, list[Violation]] = {mode: [] for mode in Mode}
        for rule in self.rules:
            if rule.mode is not Mode.OFF:
                found[rule.mode] += self._violations(rule, subject, now)
        return Verdict(tuple(found[Mode.ENFORCE]), tuple(found[Mode.WARN]))

    def _violations(self, rule: Rule, subject: Subject, now: datetime) -> list[Violation]:
        try:
            return list(self._found(rule, subject, now))
        except Exception as error:  # noqa: BLE001 - one broken rule must not take the others, or the queue, down
            message = f"The rule could not be checked ({type(error).__name__})"
            return [Violation(rule.name, "", message, "Tell whoever keeps the rules.", broken=True)]

    def _found(self, rule: Rule, subject: Subject, now: datetime) -> Iterator[Violation]:
        if not rule.applies_to.has(subject):
            return
        breaches = list(rule.breaches(subject))
        if breaches and any(exemption.covers(rule, subject, now) for exemption in self.exemptions):
            return
        for breach in breaches:
            yield Violation(rule.name, *breach)


class _Unreadable(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        raise LookupError(f"no rules to check {subject.name} by")


NO_RULES = Rules()
#: What holds where a document cannot be read: one rule that always fails.
UNREADABLE = Rules(rules=(_Unreadable(name="rules"),))
