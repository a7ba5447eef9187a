"""Edits the rules document: get it, check another one, apply it."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.admission.admission import Admission
from scheduler.config.dry_run import Check, DryRun, DryRuns
from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.guardrails.document import validated
from scheduler.core.guardrails.rules import Rules
from scheduler.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class RulesEditor:
    """Edits the guardrails."""

    document: VersionedDocument
    dry_runs: DryRuns
    admission: Admission
    clock: Clock

    def get(self) -> Document | None:
        return self.document.get()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Applies a document as a whole. Raises BadRules, or StaleRules if `replaces` is not the applied version."""
        validated(text, self.clock.now())
        return self.document.apply(text, caller, replaces)

    def dry_run(self, text: str) -> DryRun:
        """Returns the changed verdicts on waiting and running jobs. Changes nothing. Raises BadRules."""
        now = self.clock.now()
        rules = validated(text, now)
        return self.dry_runs.compare(now, self._check(self.admission.rules(), now), self._check(rules, now))

    def _check(self, rules: Rules, now: datetime) -> Check:
        return lambda job, request: self.admission.verdict(rules, job, request, now)
