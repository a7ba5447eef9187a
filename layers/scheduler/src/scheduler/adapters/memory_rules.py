"""The versions of the rules document in memory."""

from dataclasses import dataclass, field

from scheduler.domain.rules_document import RulesDocument
from scheduler.refusals import StaleRules


@dataclass
class MemoryRuleStore:
    versions: dict[int, RulesDocument] = field(default_factory=dict)

    def latest(self) -> RulesDocument | None:
        return self.versions[max(self.versions)] if self.versions else None

    def add(self, document: RulesDocument, *, by: str) -> None:  # noqa: ARG002 - nobody is woken from here
        if document.version in self.versions:
            raise StaleRules(document.version - 1)
        self.versions[document.version] = document
