"""Checks the permissions that the configuration and the stack's parameters grant to callers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import principal_of
from scheduler.core.sections.schema import ConfigKind
from scheduler.errors.config_errors import CallerLockedOut, UnreadableConfiguration
from scheduler.errors.refusals import NotPermitted, Violation
from scheduler.observe.configuration import ConfigurationReader


@dataclass(frozen=True, slots=True)
class Authorization:
    """Checks callers against the current configuration."""

    configuration: ConfigurationReader
    stacks_callers: Callers  # operators and execution roles, set by the stack's parameters

    def callers(self, configuration: Configuration | None = None) -> Callers:
        """Returns the permissions, under the current configuration unless another is given.

        If no configuration can be read, only the operators in the stack's parameter have permissions.
        """
        configuration = configuration or self.configuration.current()
        if not configuration.is_readable:
            return replace(self.stacks_callers, entries=())
        return replace(self.stacks_callers, entries=configuration.callers)

    def require(self, verb: Verb, caller: str) -> Callers:
        """Requires the caller to have a permission, and returns all permissions for further checks in the same call.

        Raises NotPermitted, or UnreadableConfiguration if the permissions are unknown.
        """
        callers = self.callers()
        if verb not in callers.verbs_of(callers.principal_of(caller)):
            raise self._refusal(caller, verb, _REMEDIES[verb])
        return callers

    def require_config(self, kinds: Iterable[ConfigKind], caller: str) -> None:
        """Requires permission to configure these kinds, or at least one kind if none is given.

        Raises the same errors as require().
        """
        callers, principal = self.callers(), principal_of(caller)
        allowed = {kind for kind in ConfigKind if callers.may_configure(principal, kind)}
        denied = [kind for kind in kinds if kind not in allowed]
        if denied or not allowed:
            lacking = ", ".join(f"config:{kind}" for kind in denied) or Verb.OPERATE
            raise self._refusal(caller, lacking, _REMEDIES[Verb.OPERATE])

    def require_control(self, job: Job, caller: str) -> None:
        """Requires permission to control the job. Raises the same errors as require(), but never names the owner."""
        callers = self.callers()
        principal = callers.principal_of(caller)
        if callers.may_control(principal, job.owner):
            return
        is_own = principal == callers.principal_of(job.owner)
        lacking = Verb.CONTROL_OWN if is_own else f"{Verb.CONTROL_TEAM} or {Verb.OPERATE}"
        raise self._refusal(caller, f"{lacking} for this job", _REMEDIES[Verb.CONTROL_OWN])

    def require_approver(self, job: Job, caller: str) -> None:
        """Requires an operator who does not own the job. Raises the same errors as require()."""
        callers = self.require(Verb.OPERATE, caller)
        if callers.principal_of(caller) == callers.principal_of(job.owner):  # an operator's principal is never None
            message = f"{principal_of(caller) or 'The caller'} owns the job, and cannot approve it"
            raise NotPermitted(message, remedy="Ask another operator.")

    def controlled_by(self, caller: str) -> Callable[[str], bool]:
        """Returns a function that checks whether the caller may control an owner's jobs."""
        callers = self.callers()
        principal = callers.principal_of(caller)
        return lambda owner: callers.may_control(principal, owner)

    def owned_by(self, caller: str) -> Callable[[str], bool]:
        """Returns a function that checks whether a job's owner is the caller, regardless of permissions."""
        key_of = cache(self.callers().owner_key_of)  # many jobs have few owners
        return lambda owner: key_of(owner) == key_of(caller)

    def _refusal(self, caller: str, lacking: str, remedy: str) -> NotPermitted | UnreadableConfiguration:
        """Returns the error for a missing permission. An unreadable configuration might grant the permission."""
        if not self.configuration.current().is_readable:
            return UnreadableConfiguration()
        return NotPermitted(f"{principal_of(caller) or 'The caller'} lacks the permission {lacking}", remedy=remedy)


_REMEDIES = {
    Verb.SUBMIT: "Ask an operator for the permission. GET /whoami shows yours.",
    Verb.CONTROL_OWN: "Ask the job's owner or an operator. GET /whoami shows your permissions.",
    Verb.OPERATE: "Ask an operator, or deploy the stack with your role in its parameter Operators.",
}


def refuse_lock_out(caller: str, before: Callers, after: Callers) -> None:
    """Raises CallerLockedOut if the caller could no longer apply a kind of section that it may apply now."""
    principal = principal_of(caller)
    for kind in ConfigKind:
        if before.may_configure(principal, kind) and not after.may_configure(principal, kind):
            raise CallerLockedOut(str(principal), kind)


def refuse_violations(violations: tuple[Violation, ...]) -> None:
    """Raises NotPermitted if the job's owner is not allowed to run it."""
    if violations:
        first, rest = violations[0], len(violations) - 1
        more = f", and {rest} more" if rest else ""
        raise NotPermitted(f"{first.message}{more}", field=first.field, remedy=first.remedy)
