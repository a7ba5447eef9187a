"""Rules about a job's priority."""

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler.core.guardrails.rule import Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject


@kind("priority_ceiling")
@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityCeiling(Rule):
    at_most: int

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if subject.priority is not None and subject.priority > self.at_most:
            message = f"The priority is {subject.priority}; at most {self.at_most} is allowed"
            yield Breach("Tags", message, f"Use a priority of at most {self.at_most}.")
