"""Checks the permissions of callers: by the callers document and by the stack's parameters."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from scheduler.core.callers.document import entries_of, validated
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import principal_of
from scheduler.errors.config_errors import BadDocument, CallerLockedOut
from scheduler.errors.refusals import NotPermitted, Violation
from scheduler.ports.config_store import DocumentStore

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Authorization:
    """Checks callers by the applied callers document."""

    store: DocumentStore
    default: Callers  # the permissions without a document

    def callers(self) -> Callers:
        """Returns the applied permissions; only those of the parameter's operators if the document cannot be read."""
        document = self.store.latest()
        if document is None:
            return self.default
        try:
            return replace(self.default, entries=entries_of(document.text))
        except BadDocument as error:
            logger.error("unreadable callers", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return replace(self.default, entries=(), are_readable=False)

    def under(self, text: str) -> Callers:
        """Returns the permissions under another document. Raises BadDocument."""
        return replace(self.default, entries=validated(text))

    def require(self, verb: Verb, caller: str) -> Callers:
        """Returns the applied permissions, for further checks in the same call. Raises NotPermitted."""
        callers, principal = self.callers(), principal_of(caller)
        if verb not in callers.verbs_of(principal):
            raise NotPermitted(f"{principal or 'The caller'} lacks the permission {verb}", remedy=_REMEDIES[verb])
        return callers

    def require_control(self, job: Job, caller: str) -> None:
        """Raises NotPermitted, without the job's owner, unless the caller may control the job."""
        principal = principal_of(caller)
        if self.callers().may_control(principal, job.owner):
            return
        lacking = Verb.CONTROL_OWN if principal == principal_of(job.owner) else f"{Verb.CONTROL_TEAM} or {Verb.OPERATE}"
        raise NotPermitted(
            f"{principal or 'The caller'} lacks the permission {lacking} for this job",
            remedy=_REMEDIES[Verb.CONTROL_OWN],
        )

    def controlled_by(self, caller: str) -> Callable[[str], bool]:
        """Returns a function that checks whether the caller may control the jobs of an owner."""
        callers, principal = self.callers(), principal_of(caller)
        return lambda owner: callers.may_control(principal, owner)


_REMEDIES = {
    Verb.SUBMIT: "Ask an operator for the permission. GET /whoami shows yours.",
    Verb.CONTROL_OWN: "Ask the job's owner or an operator. GET /whoami shows your permissions.",
    Verb.OPERATE: "Ask an operator, or deploy the stack with your role in its parameter Operators.",
}


def refuse_lock_out(caller: str, callers: Callers) -> None:
    """Raises CallerLockedOut if the caller could not operate the queue with these permissions."""
    principal = principal_of(caller)
    if Verb.OPERATE not in callers.verbs_of(principal):
        raise CallerLockedOut(str(principal))


def refuse_violations(violations: tuple[Violation, ...]) -> None:
    """Raises NotPermitted if the job's owner may not run it."""
    if violations:
        first, rest = violations[0], len(violations) - 1
        more = f", and {rest} more" if rest else ""
        raise NotPermitted(f"{first.message}{more}", field=first.field, remedy=first.remedy)
