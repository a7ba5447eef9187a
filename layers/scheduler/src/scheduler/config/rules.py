"""The rules as operators see them: read them, try them out, put them into force."""

from datetime import datetime

from attrs import frozen

from scheduler.admission.admission import Gate
from scheduler.config.dry_run import Judge, Trial, try_out
from scheduler.config.versioned_document import DocumentBook
from scheduler.core.documents.document import Document
from scheduler.core.guardrails.document import accepted
from scheduler.core.guardrails.rules import Rules
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore


@frozen
class RuleBook:
    book: DocumentBook
    jobs: JobStore
    gate: Gate
    clock: Clock

    def show(self) -> Document | None:
        return self.book.show()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a document into force, as a whole. Raises BadRules, or StaleRules if `replaces` is not in force."""
        accepted(text, self.clock.now())
        return self.book.apply(text, caller, replaces)

    def try_out(self, text: str) -> Trial:
        """What the document would do to the jobs that wait or run. Nothing is changed. Raises BadRules."""
        now = self.clock.now()
        rules = accepted(text, now)
        return try_out(self.jobs, now, self._judge(self.gate.rules(), now), self._judge(rules, now))

    def _judge(self, rules: Rules, now: datetime) -> Judge:
        return lambda job, request: self.gate.verdict(rules, job, request, now)
