"""Who may do what, as operators see it: read the document of callers, try another one out, put it into force."""

from attrs import evolve, frozen

from scheduler.access import Access
from scheduler.document_book import DocumentBook
from scheduler.document_refusals import LocksOut
from scheduler.domain.document import Document
from scheduler.domain.principal import principal_of
from scheduler.policy.callers.document import accepted
from scheduler.policy.callers.permission import Permission, permission_of
from scheduler.policy.callers.permissions import Callers, Verb
from scheduler.policy.guardrails.rules import Verdict
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.trial import Judge, Trial, try_out


@frozen
class CallerBook:
    book: DocumentBook
    jobs: JobStore
    access: Access
    clock: Clock

    def show(self) -> Document | None:
        return self.book.show()

    def permission_of(self, caller: str) -> Permission:
        return permission_of(self.access.callers(), principal_of(caller))

    def apply(self, text: str, caller: str, replaces: int | None = None, *, hand_over: bool = False) -> Document:
        """Put a document into force, as a whole. Raises BadCallers, or StaleCallers if `replaces` is not in force.

        Raises LocksOut if the caller could not mend it any more, unless they want to `hand_over` to others.
        """
        callers, principal = self._under(text), principal_of(caller)
        if not hand_over and Verb.OPERATE not in callers.verbs_of(principal):
            raise LocksOut(str(principal))
        return self.book.apply(text, caller, replaces)

    def try_out(self, text: str, caller: str) -> tuple[Trial, Permission]:
        """What the document would mean for the jobs that wait or run, and for the caller. Raises BadCallers."""
        callers = self._under(text)
        trial = try_out(self.jobs, self.clock.now(), _judge(self.access.callers()), _judge(callers))
        return trial, permission_of(callers, principal_of(caller))

    def _under(self, text: str) -> Callers:
        """What would be in force with this document. Raises BadCallers."""
        return evolve(self.access.without, entries=accepted(text))


def _judge(callers: Callers) -> Judge:
    return lambda job, request: Verdict(enforced=callers.objections(job, request))
