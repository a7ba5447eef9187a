"""A set of rules, and what it has against a job. A queue without any loads no kind of rule for it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import field, frozen

from scheduler.core.guardrails.rule import Mode
from scheduler.core.guardrails.subject import Subject
from scheduler.core.retries.retry_policy import RetryPolicy
from scheduler.errors.violation import Violation

if TYPE_CHECKING:
    from scheduler.core.guardrails.exemption import Exemption
    from scheduler.core.guardrails.rule import Rule


class OnFailure(StrEnum):
    """What a rule that fails itself means for the job."""

    OPEN = "open"  # as if the job kept the rule
    CLOSED = "closed"  # as if it violated the rule


@frozen(kw_only=True)
class Failing:
    launching: OnFailure = OnFailure.CLOSED  # submissions too
    stopping: OnFailure = OnFailure.OPEN


@frozen
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


@frozen(kw_only=True)
class Rules:
    rules: tuple[Rule, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    failing: Failing = field(factory=Failing)
    recovery: RetryPolicy = field(factory=RetryPolicy)

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


NO_RULES = Rules()
