"""Jobs that a rule is not for, until a day."""

from datetime import datetime

from attrs import frozen

from scheduler.core.guardrails.rule import Rule
from scheduler.core.guardrails.scope import Scope
from scheduler.core.guardrails.subject import Subject


@frozen(kw_only=True)
class Exemption:
    rules: tuple[str, ...]  # their names
    jobs: Scope
    owner: str  # who answers for it
    reason: str
    expires_at: datetime

    def covers(self, rule: Rule, subject: Subject, now: datetime) -> bool:
        return now < self.expires_at and rule.name in self.rules and self.jobs.has(subject)
