"""Edits the callers document: get it, check another one, apply it."""

from dataclasses import dataclass, replace

from scheduler.admission.authorization import Authorization
from scheduler.config.dry_run import Check, DryRun, DryRuns
from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.callers.document import validated
from scheduler.core.callers.permission import Permission, permission_of
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.documents.document import Document
from scheduler.core.guardrails.rules import Verdict
from scheduler.core.jobs.principal import principal_of
from scheduler.errors.config_errors import CallerLockedOut
from scheduler.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class CallersEditor:
    """Edits the permissions of callers."""

    document: VersionedDocument
    dry_runs: DryRuns
    authorization: Authorization
    clock: Clock

    def get(self) -> Document | None:
        return self.document.get()

    def permission_of(self, caller: str) -> Permission:
        return permission_of(self.authorization.callers(), principal_of(caller))

    def apply(self, text: str, caller: str, replaces: int | None = None, *, hand_over: bool = False) -> Document:
        """Applies a document as a whole. Raises BadCallers, or StaleCallers if `replaces` is not the applied version.

        Raises CallerLockedOut if the caller could not operate the queue any more, unless `hand_over` is set.
        """
        callers, principal = self._with_document(text), principal_of(caller)
        if not hand_over and Verb.OPERATE not in callers.verbs_of(principal):
            raise CallerLockedOut(str(principal))
        return self.document.apply(text, caller, replaces)

    def dry_run(self, text: str, caller: str) -> tuple[DryRun, Permission]:
        """Returns the changed verdicts on waiting and running jobs, and the caller's permissions. Raises BadCallers."""
        callers = self._with_document(text)
        result = self.dry_runs.compare(self.clock.now(), _check(self.authorization.callers()), _check(callers))
        return result, permission_of(callers, principal_of(caller))

    def _with_document(self, text: str) -> Callers:
        """Returns the permissions under this document. Raises BadCallers."""
        return replace(self.authorization.default, entries=validated(text))


def _check(callers: Callers) -> Check:
    return lambda job, request: Verdict(enforced=callers.violations(job, request))
