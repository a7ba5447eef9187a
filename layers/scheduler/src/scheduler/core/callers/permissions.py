"""What callers may do, and what stands against it."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from attrs import frozen

from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.documents.contradiction import contradiction
from scheduler.core.jobs.demand import type_of
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import Principal, principal_of
from scheduler.errors.violation import Violation


class Verb(StrEnum):
    SUBMIT = "submit"
    CONTROL_OWN = "control_own"  # cancel, hold, requeue and so on, of jobs of one's own
    CONTROL_TEAM = "control_team"  # … of jobs of one's teams
    OPERATE = "operate"  # … of any job, and of the queue: its budget, intake and documents


@frozen(kw_only=True)
class Entry:
    """What some principals may do. Where a limit is left out there is none of ours."""

    name: str
    principals: tuple[PrincipalPattern, ...]
    verbs: tuple[Verb, ...]  # none: they may do nothing
    teams: tuple[str, ...] = ()
    execution_roles: tuple[str, ...] | None = None  # patterns of ARNs
    instance_types: tuple[str, ...] | None = None  # patterns
    priority_ceiling: int | None = None

    def __attrs_post_init__(self) -> None:
        if not self.principals:
            raise contradiction("principals", "is empty: the entry would be for nobody")
        for limit in ("execution_roles", "instance_types"):
            if getattr(self, limit) == ():
                raise contradiction(limit, "is empty: no job could run; leave submit out of the verbs instead")
        if Verb.CONTROL_TEAM in self.verbs and not self.teams:
            raise contradiction("teams", "is missing: control_team is about the jobs of these")

    def objections(self, job: Job, request: Mapping[str, Any]) -> Iterator[Violation]:
        """Everything about the job that the entry does not allow its owner."""
        role = str(request.get("RoleArn"))
        if self.execution_roles is not None and not _is_one_of(role, self.execution_roles):
            yield self._objection("RoleArn", "The execution role is not allowed", self.execution_roles)
        for kind, _ in job.demand.counts:
            if self.instance_types is not None and not _is_one_of(type_of(kind), self.instance_types):
                yield self._objection("ResourceConfig", f"{kind} is not allowed", self.instance_types)
        if self.priority_ceiling is not None and job.priority > self.priority_ceiling:
            yield self._objection("priority", f"Priority {job.priority} is not allowed", (f"{self.priority_ceiling}",))

    def _objection(self, where: str, message: str, allowed: Sequence[str]) -> Violation:
        most = "at most" if where == "priority" else "one of"
        return Violation(self.name, where, message, f"Use {most} {', '.join(allowed)}.")


_NOTHING = Entry(name="nobody", principals=(PrincipalPattern(None, None),), verbs=())


@frozen
class Callers:
    """The entries in force: the first that fits counts. Operators of the parameter operate whatever they say."""

    own_account: str
    operators: tuple[PrincipalPattern, ...]
    execution_roles: str  # the pattern of ARNs that the stack may pass to SageMaker: nobody is allowed more
    entries: tuple[Entry, ...] = ()
    are_readable: bool = True  # else nobody can tell what operators have laid down, and it allows nothing

    def entry_of(self, principal: Principal | None) -> Entry:
        """For whoever cannot be told from others, and for whom no entry is: one that allows nothing."""
        if principal is None:
            return _NOTHING
        return next((entry for entry in self.entries if self._is_for(entry, principal)), _NOTHING)

    def verbs_of(self, principal: Principal | None) -> frozenset[Verb]:
        verbs = frozenset(self.entry_of(principal).verbs)
        return verbs | {Verb.OPERATE} if principal and self._has(self.operators, principal) else verbs

    def may_control(self, principal: Principal | None, owner: str) -> bool:
        """Whether they may ask something of the jobs of this owner."""
        verbs, owning = self.verbs_of(principal), principal_of(owner)
        return (
            Verb.OPERATE in verbs
            or (Verb.CONTROL_OWN in verbs and principal == owning)
            or (Verb.CONTROL_TEAM in verbs and self._share_a_team(principal, owning))
        )

    def objections(self, job: Job, request: Mapping[str, Any]) -> tuple[Violation, ...]:
        """Why this owner may not run this job: the same at submission and at launch."""
        owner = principal_of(job.owner)
        entry = self.entry_of(owner)
        if Verb.SUBMIT not in entry.verbs:
            remedy = "Ask an operator of the queue for it: `sagequeue whoami` shows what you may do."
            return (Violation(entry.name, "owner", f"{owner or 'Its owner'} lacks the verb {Verb.SUBMIT}", remedy),)
        return (*entry.objections(job, request), *self._beyond_the_stack(entry, request))

    def _beyond_the_stack(self, entry: Entry, request: Mapping[str, Any]) -> Iterator[Violation]:
        if not fnmatchcase(str(request.get("RoleArn")), self.execution_roles):
            remedy = f"Use one that fits {self.execution_roles}, or ask for another parameter ExecutionRolePattern."
            yield Violation(entry.name, "RoleArn", "The queue may not pass the execution role to SageMaker", remedy)

    def _share_a_team(self, principal: Principal | None, owner: Principal | None) -> bool:
        return bool({*self.entry_of(principal).teams} & {*self.entry_of(owner).teams})

    def _is_for(self, entry: Entry, principal: Principal) -> bool:
        return self._has(entry.principals, principal)

    def _has(self, patterns: Sequence[PrincipalPattern], principal: Principal) -> bool:
        return any(pattern.matches(principal, self.own_account) for pattern in patterns)


def without_document(own_account: str, operators: tuple[PrincipalPattern, ...], execution_roles: str) -> Callers:
    """Everybody of the account who may call the API at all submits, and controls jobs of their own."""
    everybody = Entry(
        name="everybody", principals=(PrincipalPattern(None, None),), verbs=(Verb.SUBMIT, Verb.CONTROL_OWN)
    )
    return Callers(own_account, operators, execution_roles, (everybody,))


def _is_one_of(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
