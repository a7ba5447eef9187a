"""What holds where the document of rules cannot be read: one rule that always fails."""

from collections.abc import Iterator

from scheduler.core.guardrails.rule import Breach, Rule
from scheduler.core.guardrails.rules import Rules
from scheduler.core.guardrails.subject import Subject


class _Unreadable(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        raise LookupError(f"no rules to check {subject.name} by")


UNREADABLE = Rules(rules=(_Unreadable(name="rules"),))
