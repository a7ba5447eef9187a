"""Grants callers the permissions in the entries that operators apply, and checks jobs against these entries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.jobs.demand import type_of
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import Principal, all_sessions_of, owner_key_of, principal_of, session_of
from scheduler.core.jobs.work.definitions import roles_in
from scheduler.core.jobs.work.evaluators import evaluators_in
from scheduler.core.sections.schema import ConfigKind, suggestion
from scheduler.core.sections.strict_structure import check_field
from scheduler.errors.refusals import Violation


class Verb(StrEnum):
    """A permission that an entry may grant."""

    SUBMIT = "submit"
    CONTROL_OWN = "control_own"  # cancel, hold, requeue and otherwise control one's own jobs
    CONTROL_TEAM = "control_team"  # control the jobs of one's teams in the same way
    OPERATE = "operate"  # control any job, and change the queue's budget, intake and configuration


#: The pattern for all execution roles that the stack may pass to SageMaker.
ANY_ROLE = "*"
EVERY_KIND = "config:*"
#: Permissions to apply one kind of section, or every kind.
CONFIG_VERBS = frozenset({EVERY_KIND, *(f"config:{kind}" for kind in ConfigKind)})
#: Permissions that make a caller an operator. With access to the section `callers`, one can grant any permission.
_OPERATORS_VERBS = frozenset({Verb.OPERATE, EVERY_KIND, f"config:{ConfigKind.CALLERS}"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerEntry:
    """The permissions and limits of some principals. `submit` needs execution roles; other limits are optional."""

    name: str
    principals: tuple[PrincipalPattern, ...]
    verbs: tuple[str, ...]  # from Verb and CONFIG_VERBS; empty: the principals are denied everything
    teams: tuple[str, ...] = ()
    execution_roles: tuple[str, ...] = ()  # patterns of ARNs
    instance_types: tuple[str, ...] | None = None  # patterns
    priority_ceiling: int | None = None
    trust_session_names: bool = False  # whether each session of these roles is a separate caller

    def __post_init__(self) -> None:
        check_field("principals", self.principals, "is empty: the entry matches no caller")
        for verb in self.verbs:
            is_known = verb in {*Verb, *CONFIG_VERBS}
            problem = f"contains {verb[:50]!r}, an unknown verb{suggestion(verb, {*Verb, *CONFIG_VERBS})}"
            check_field("verbs", is_known, problem)
        has_roles = Verb.SUBMIT not in self.verbs or self.execution_roles
        missing = f"is missing: submit needs the roles that jobs may run as, or {ANY_ROLE} for all allowed roles"
        check_field("execution_roles", has_roles, missing)
        has_types = self.instance_types != ()
        check_field("instance_types", has_types, "is empty: no job could run; leave submit out of the verbs instead")
        may_trust = all(pattern.is_one_role_of_identity_center for pattern in self.principals)
        problem = "needs whole names of IAM Identity Center roles: callers choose the names of other sessions"
        check_field("trust_session_names", not self.trust_session_names or may_trust, problem)
        has_teams = Verb.CONTROL_TEAM not in self.verbs or self.teams
        check_field("teams", has_teams, "is missing: control_team needs teams")

    def violations(self, job: Job, request: Mapping[str, Any]) -> Iterator[Violation]:
        """Yields a violation for each property of the job that the entry does not allow."""
        for path, role in roles_in(request):
            if not _is_one_of(role, self.execution_roles):
                yield self._violation(path, "The execution role is not allowed", self.execution_roles)
        types = [("ResourceConfig", type_of(line)) for line, _ in job.spec.demand.counts]
        types += [(path, evaluator.get("InstanceType", "")) for path, evaluator in evaluators_in(request)]
        for path, instance_type in types:
            if self.instance_types is not None and instance_type and not _is_one_of(instance_type, self.instance_types):
                yield self._violation(path, f"{instance_type} is not allowed", self.instance_types)
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
    """The applied entries: the first match counts.

    Operators listed in the stack's parameter may always operate the queue.
    """

    own_account: str
    operators: tuple[PrincipalPattern, ...]
    execution_roles: str  # the pattern of role ARNs that the stack may pass to SageMaker; it limits every entry
    entries: tuple[CallerEntry, ...] = ()

    def entry_of(self, principal: Principal | None) -> CallerEntry:
        """Returns the principal's entry. If none matches or the principal is unknown, the entry has no permissions."""
        if principal is None:
            return _NO_PERMISSIONS
        return next((entry for entry in self.entries if self._has(entry.principals, principal)), _NO_PERMISSIONS)

    def principal_of(self, arn: str) -> Principal | None:
        """Returns the principal behind an ARN, with its session if its entry trusts session names."""
        principal = principal_of(arn)
        if principal is not None and self.entry_of(principal).trust_session_names:
            return replace(principal, session=session_of(arn))
        return principal

    def owner_key_of(self, arn: str) -> str:
        """Returns the key that separates an owner's jobs from other jobs: the ARN, without any untrusted session."""
        principal = self.principal_of(arn)
        return arn if principal is not None and principal.session else owner_key_of(arn)

    def owner_of(self, arn: str) -> str:
        """Returns the ARN under which the jobs of this caller are reported together: one for each owner key."""
        principal = self.principal_of(arn)
        return arn if principal is not None and principal.session else all_sessions_of(arn)

    def verbs_of(self, principal: Principal | None) -> frozenset[str]:
        verbs = frozenset(self.entry_of(principal).verbs)
        is_operator = (principal and self._has(self.operators, principal)) or verbs & _OPERATORS_VERBS
        return verbs | {Verb.OPERATE} if is_operator else verbs

    def roles_of(self, entry: CallerEntry) -> tuple[str, ...]:
        """Returns the patterns of execution roles that the entry allows, with the stack's pattern in place of `*`."""
        return tuple(self.execution_roles if role == ANY_ROLE else role for role in entry.execution_roles)

    def may_configure(self, principal: Principal | None, kind: ConfigKind) -> bool:
        """Returns whether the principal may read and apply this kind of section."""
        verbs = self.verbs_of(principal)
        return Verb.OPERATE in verbs or f"config:{kind}" in verbs

    def may_control(self, principal: Principal | None, owner: str) -> bool:
        """Returns whether the principal, as `principal_of` returns it, may control this owner's jobs."""
        verbs, owning = self.verbs_of(principal), self.principal_of(owner)
        shared_teams = {*self.entry_of(principal).teams} & {*self.entry_of(owning).teams}
        return (
            Verb.OPERATE in verbs
            or (Verb.CONTROL_OWN in verbs and principal == owning)
            or (Verb.CONTROL_TEAM in verbs and bool(shared_teams))
        )

    def violations(self, job: Job, request: Mapping[str, Any]) -> tuple[Violation, ...]:
        """Returns the violations that keep the owner from running this job. Submission and launch check them."""
        owner = principal_of(job.owner)
        entry = self.entry_of(owner)
        if Verb.SUBMIT not in entry.verbs:
            remedy = "Ask an operator for the permission. `sagequeue whoami` shows yours."
            message = f"{owner or 'The owner'} lacks the permission {Verb.SUBMIT}"
            return (Violation(entry.name, "owner", message, remedy),)
        return (*entry.violations(job, request), *self._role_violations(entry, request))

    def _role_violations(self, entry: CallerEntry, request: Mapping[str, Any]) -> Iterator[Violation]:
        remedy = f"Use a role that matches {self.execution_roles}, or ask an operator to change ExecutionRolePattern."
        for path, role in roles_in(request):
            if not fnmatchcase(role, self.execution_roles):
                yield Violation(entry.name, path, "The queue cannot pass the execution role to SageMaker", remedy)

    def _has(self, patterns: Sequence[PrincipalPattern], principal: Principal) -> bool:
        return any(pattern.matches(principal, self.own_account) for pattern in patterns)


def _is_one_of(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
