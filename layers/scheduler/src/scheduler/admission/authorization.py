"""Who may do what, at the queue's doors: by the operators' document of callers, and by the stack's parameters."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, frozen

from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import principal_of
from scheduler.errors.config_errors import BadCallers
from scheduler.errors.refusals import NotPermitted
from scheduler.errors.violation import Violation
from scheduler.ports.config_store import DocumentStore

logger = logging.getLogger(__name__)


@frozen
class Authorization:
    store: DocumentStore
    without: Callers  # what holds where nobody has laid down a document

    def callers(self) -> Callers:
        """What is in force now. If that cannot be read, only the operators of the parameter may do anything."""
        document = self.store.latest()
        if document is None:
            return self.without
        from scheduler.core.callers.document import entries_of  # here, so that a queue without any starts sooner

        try:
            return evolve(self.without, entries=entries_of(document.text))
        except BadCallers as error:
            logger.error("unreadable callers", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return evolve(self.without, entries=(), are_readable=False)

    def require(self, verb: Verb, caller: str) -> Callers:
        """What is in force, for whoever asks more of it in the same call. Raises NotPermitted."""
        callers, principal = self.callers(), principal_of(caller)
        if verb not in callers.verbs_of(principal):
            raise NotPermitted(f"{principal or 'Who calls like this'} lacks the verb {verb}", remedy=_REMEDIES[verb])
        return callers

    def require_control(self, job: Job, caller: str) -> None:
        """Raises NotPermitted, which says nothing of whose job it is."""
        principal = principal_of(caller)
        if self.callers().may_control(principal, job.owner):
            return
        lacking = Verb.CONTROL_OWN if principal == principal_of(job.owner) else f"{Verb.CONTROL_TEAM} or {Verb.OPERATE}"
        raise NotPermitted(
            f"{principal or 'Who calls like this'} lacks the verb {lacking} for this job",
            remedy=_REMEDIES[Verb.CONTROL_OWN],
        )

    def may_control(self, job: Job, caller: str) -> bool:
        return self.controlled_by(caller)(job.owner)

    def controlled_by(self, caller: str) -> Callable[[str], bool]:
        """Tells of owners whether the caller may ask something of their jobs."""
        callers, principal = self.callers(), principal_of(caller)
        return lambda owner: callers.may_control(principal, owner)

    def refuse_promotion(self, job: Job, promoted: Job, request: Mapping[str, Any]) -> None:
        """Raises NotPermitted for what stands against the job only with its new, higher priority."""
        callers = self.callers()
        known = callers.objections(job, request)
        refuse_objections(tuple(one for one in callers.objections(promoted, request) if one not in known))


_REMEDIES = {
    Verb.SUBMIT: "Ask an operator of the queue for it: GET /whoami shows what you may do.",
    Verb.CONTROL_OWN: "Ask the job's owner or an operator of the queue: GET /whoami shows what you may do.",
    Verb.OPERATE: "Ask an operator of the queue, or deploy the stack with your role in its parameter Operators.",
}


def refuse_objections(objections: tuple[Violation, ...]) -> None:
    """Raises NotPermitted for what the job's owner may not run."""
    if objections:
        first, others = objections[0], len(objections) - 1
        more = f", and {others} more" if others else ""
        raise NotPermitted(f"{first.message}{more}", field=first.field, remedy=first.remedy)
