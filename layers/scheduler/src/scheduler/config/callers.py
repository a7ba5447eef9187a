"""Who may do what, as operators see it: read the document of callers, try another one out, put it into force."""

from attrs import evolve, frozen

from scheduler.admission.authorization import Authorization
from scheduler.config.dry_run import DryRun, Judge, dry_run
from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.callers.document import accepted
from scheduler.core.callers.permission import Permission, permission_of
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.documents.document import Document
from scheduler.core.guardrails.rules import Verdict
from scheduler.core.jobs.principal import principal_of
from scheduler.errors.config_errors import CallerLockedOut
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore


@frozen
class CallersEditor:
    book: VersionedDocument
    jobs: JobStore
    access: Authorization
    clock: Clock

    def show(self) -> Document | None:
        return self.book.show()

    def permission_of(self, caller: str) -> Permission:
        return permission_of(self.access.callers(), principal_of(caller))

    def apply(self, text: str, caller: str, replaces: int | None = None, *, hand_over: bool = False) -> Document:
        """Put a document into force, as a whole. Raises BadCallers, or StaleCallers if `replaces` is not in force.

        Raises CallerLockedOut if the caller could not mend it any more, unless they want to `hand_over` to others.
        """
        callers, principal = self._under(text), principal_of(caller)
        if not hand_over and Verb.OPERATE not in callers.verbs_of(principal):
            raise CallerLockedOut(str(principal))
        return self.book.apply(text, caller, replaces)

    def dry_run(self, text: str, caller: str) -> tuple[DryRun, Permission]:
        """What the document would mean for the jobs that wait or run, and for the caller. Raises BadCallers."""
        callers = self._under(text)
        trial = dry_run(self.jobs, self.clock.now(), _judge(self.access.callers()), _judge(callers))
        return trial, permission_of(callers, principal_of(caller))

    def _under(self, text: str) -> Callers:
        """What would be in force with this document. Raises BadCallers."""
        return evolve(self.access.without, entries=accepted(text))


def _judge(callers: Callers) -> Judge:
    return lambda job, request: Verdict(enforced=callers.objections(job, request))
