"""The permissions of one caller, as GET /whoami shows them."""

from dataclasses import dataclass

from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.jobs.principal import Principal


@dataclass(frozen=True, slots=True)
class Permission:
    """The permissions of a principal and the entry that grants them."""

    principal: Principal | None
    entry: str
    verbs: frozenset[Verb]
    teams: tuple[str, ...]
    execution_roles: tuple[str, ...]
    instance_types: tuple[str, ...] | None
    priority_ceiling: int | None


def permission_of(callers: Callers, principal: Principal | None) -> Permission:
    entry = callers.entry_of(principal)
    return Permission(
        principal=principal,
        entry=entry.name,
        verbs=callers.verbs_of(principal),
        teams=entry.teams,
        execution_roles=entry.execution_roles or (callers.execution_roles,),
        instance_types=entry.instance_types,
        priority_ceiling=entry.priority_ceiling,
    )
