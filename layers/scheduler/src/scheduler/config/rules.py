"""The rules as operators see them: read them, try them out, put them into force."""

from datetime import datetime

from attrs import frozen

from scheduler.admission.admission import Admission
from scheduler.config.dry_run import DryRun, Judge, dry_run
from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.guardrails.document import accepted
from scheduler.core.guardrails.rules import Rules
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore


@frozen
class RulesEditor:
    book: VersionedDocument
    jobs: JobStore
    admission: Admission
    clock: Clock

    def show(self) -> Document | None:
        return self.book.show()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a document into force, as a whole. Raises BadRules, or StaleRules if `replaces` is not in force."""
        accepted(text, self.clock.now())
        return self.book.apply(text, caller, replaces)

    def dry_run(self, text: str) -> DryRun:
        """What the document would do to the jobs that wait or run. Nothing is changed. Raises BadRules."""
        now = self.clock.now()
        rules = accepted(text, now)
        return dry_run(self.jobs, now, self._judge(self.admission.rules(), now), self._judge(rules, now))

    def _judge(self, rules: Rules, now: datetime) -> Judge:
        return lambda job, request: self.admission.verdict(rules, job, request, now)
