"""Grants permissions to callers by the entries of the callers document, and checks jobs against them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.documents.strict_structure import check_field
from scheduler.core.jobs.demand import type_of
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import Principal, principal_of
from scheduler.errors.refusals import Violation


class Verb(StrEnum):
    """A permission."""

    SUBMIT = "submit"
    CONTROL_OWN = "control_own"  # cancel, hold, requeue and so on, for one's own jobs
    CONTROL_TEAM = "control_team"  # … for jobs of one's teams
    OPERATE = "operate"  # … for any job, and for the queue: its budget, intake and documents


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerEntry:
    """The permissions and limits of some principals. A limit that is left out does not exist."""

    name: str
    principals: tuple[PrincipalPattern, ...]
    verbs: tuple[Verb, ...]  # none: the principals are denied everything
    teams: tuple[str, ...] = ()
    execution_roles: tuple[str, ...] | None = None  # patterns of ARNs
    instance_types: tuple[str, ...] | None = None  # patterns
    priority_ceiling: int | None = None

    def __post_init__(self) -> None:
        check_field("principals", self.principals, "is empty: the entry matches no caller")
        for limit in ("execution_roles", "instance_types"):
            is_usable = getattr(self, limit) != ()
            check_field(limit, is_usable, "is empty: no job could run; leave submit out of the verbs instead")
        has_teams = Verb.CONTROL_TEAM not in self.verbs or self.teams
        check_field("teams", has_teams, "is missing: control_team needs teams")

    def violations(self, job: Job, request: Mapping[str, Any]) -> Iterator[Violation]:
        """Yields every property of the job that the entry does not allow."""
        role = str(request.get("RoleArn"))
        if self.execution_roles is not None and not _is_one_of(role, self.execution_roles):
            yield self._violation("RoleArn", "The execution role is not allowed", self.execution_roles)
        for instance_type, _ in job.spec.demand.counts:
            if self.instance_types is not None and not _is_one_of(type_of(instance_type), self.instance_types):
                yield self._violation("ResourceConfig", f"{instance_type} is not allowed", self.instance_types)
        if self.priority_ceiling is not None and job.options.priority > self.priority_ceiling:
            yield self._violation(
                "priority", f"Priority {job.options.priority} is not allowed", (f"{self.priority_ceiling}",)
            )

    def _violation(self, where: str, message: str, allowed: Sequence[str]) -> Violation:
        most = "at most" if where == "priority" else "one of"
        return Violation(self.name, where, message, f"Use {most} {', '.join(allowed)}.")


_NO_PERMISSIONS = CallerEntry(name="nobody", principals=(PrincipalPattern(None, None),), verbs=())


@dataclass(frozen=True, slots=True)
class Callers:
    """The applied entries: the first that matches counts. Operators of the stack's parameter may always operate."""

    own_account: str
    operators: tuple[PrincipalPattern, ...]
    execution_roles: str  # the pattern of ARNs that the stack may pass to SageMaker; it limits every entry
    entries: tuple[CallerEntry, ...] = ()
    are_readable: bool = True  # False: the document cannot be read, and nothing is allowed

    def entry_of(self, principal: Principal | None) -> CallerEntry:
        """Returns the principal's entry; one without permissions for an unknown principal, or if no entry matches."""
        if principal is None:
            return _NO_PERMISSIONS
        return next((entry for entry in self.entries if self._has(entry.principals, principal)), _NO_PERMISSIONS)

    def verbs_of(self, principal: Principal | None) -> frozenset[Verb]:
        verbs = frozenset(self.entry_of(principal).verbs)
        return verbs | {Verb.OPERATE} if principal and self._has(self.operators, principal) else verbs

    def may_control(self, principal: Principal | None, owner: str) -> bool:
        """Returns whether the principal may control the jobs of this owner."""
        verbs, owning = self.verbs_of(principal), principal_of(owner)
        shared_teams = {*self.entry_of(principal).teams} & {*self.entry_of(owning).teams}
        return (
            Verb.OPERATE in verbs
            or (Verb.CONTROL_OWN in verbs and principal == owning)
            or (Verb.CONTROL_TEAM in verbs and bool(shared_teams))
        )

    def violations(self, job: Job, request: Mapping[str, Any]) -> tuple[Violation, ...]:
        """Returns why the owner may not run this job. It is checked at submission and at launch."""
        owner = principal_of(job.owner)
        entry = self.entry_of(owner)
        if Verb.SUBMIT not in entry.verbs:
            remedy = "Ask an operator for the permission. `sagequeue whoami` shows yours."
            message = f"{owner or 'The owner'} lacks the permission {Verb.SUBMIT}"
            return (Violation(entry.name, "owner", message, remedy),)
        return (*entry.violations(job, request), *self._role_violations(entry, request))

    def _role_violations(self, entry: CallerEntry, request: Mapping[str, Any]) -> Iterator[Violation]:
        if not fnmatchcase(str(request.get("RoleArn")), self.execution_roles):
            remedy = (
                f"Use a role that matches {self.execution_roles}, or ask an operator to change ExecutionRolePattern."
            )
            yield Violation(entry.name, "RoleArn", "The queue may not pass the execution role to SageMaker", remedy)

    def _has(self, patterns: Sequence[PrincipalPattern], principal: Principal) -> bool:
        return any(pattern.matches(principal, self.own_account) for pattern in patterns)


def default_callers(own_account: str, operators: tuple[PrincipalPattern, ...], execution_roles: str) -> Callers:
    """Returns the permissions without a document: every caller may submit jobs and control their own."""
    everybody = CallerEntry(
        name="everybody", principals=(PrincipalPattern(None, None),), verbs=(Verb.SUBMIT, Verb.CONTROL_OWN)
    )
    return Callers(own_account, operators, execution_roles, (everybody,))


def _is_one_of(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
