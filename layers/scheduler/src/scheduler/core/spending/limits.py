"""Monthly spending limits: by owner, team or tag, in GPU hours or dollars."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple
from zoneinfo import ZoneInfo

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.principal import principal_of

#: Replaces a name to give each owner or each team a limit of its own.
EACH = "*"
#: The most bytes in a scope's name, which is part of a table key. The limit on keys is 1,024 bytes, and a tag's value
#: may be that long.
_LONGEST = 900


class ScopeKind(StrEnum):
    OWNER = "owner"
    TEAM = "team"
    TAG = "tag"


class Scope(NamedTuple):
    """An owner, a team or a tag. The spending of all its jobs is added up."""

    kind: ScopeKind
    name: str  # `role/Vision`, `vision`, `project=moon`

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class Measure(StrEnum):
    GPU_HOURS = "gpu_hours"
    DOLLARS = "dollars"


class LimitAction(StrEnum):
    """The action on running jobs when a limit is used up. With either action, no further job starts."""

    HOLD = "hold"  # they run to completion
    STOP = "stop"  # they are stopped after their next checkpoint, and wait


class UseState(StrEnum):
    """The state of a limit's use."""

    OK = "ok"
    NEAR = "near"  # the use has reached the share at which owners are warned
    USED_UP = "used_up"
    UNKNOWN = "unknown"  # a count or a price is unknown


@dataclass(frozen=True, slots=True)
class SpendingLimit:
    name: str
    kind: ScopeKind
    scope_name: str  # a scope's name; with EACH or only a tag key, each scope has its own limit
    measure: Measure
    most: Decimal  # per month
    warn_at: Decimal = Decimal("0.8")  # as a share of `most`
    then: LimitAction = LimitAction.HOLD

    def scope_of(self, job: Job, team: str) -> Scope | None:
        """Returns the job's scope that the limit applies to; None if there is none."""
        name: str | None
        match self.kind:
            case ScopeKind.OWNER:
                name = owner_name(job.owner)
            case ScopeKind.TEAM:
                name = team or None
            case ScopeKind.TAG:
                key = self.scope_name.partition("=")[0]
                value = dict(job.spec.tags).get(key)
                name = None if value is None else f"{key}={value}"
        scope = _scope(self.kind, name) if name is not None else None
        return scope if scope is not None and self.applies_to(scope) else None

    @property
    def scope(self) -> Scope | None:
        """Returns the scope that the limit names; None if each scope has a separate limit."""
        return None if self.scope_name == EACH or self._is_of_key else _scope(self.kind, self.scope_name)

    def applies_to(self, scope: Scope) -> bool:
        if self.kind is not scope.kind:
            return False
        is_value_of_key = self._is_of_key and scope.name.startswith(f"{self.scope_name}=")
        return is_value_of_key or self.scope_name == EACH or _bounded(self.scope_name) == scope.name

    @property
    def _is_of_key(self) -> bool:
        return self.kind is ScopeKind.TAG and "=" not in self.scope_name


def owner_name(owner: str) -> str:
    """Returns a name such as `role/Vision`, without the session; the ARN if the owner is neither a role nor a user."""
    principal = principal_of(owner)
    return str(principal) if principal else owner


def every_scope_of(job: Job, team: str) -> list[Scope]:
    teams = [_scope(ScopeKind.TEAM, team)] if team else []
    tags = [_scope(ScopeKind.TAG, f"{key}={value}") for key, value in job.spec.tags]
    return [_scope(ScopeKind.OWNER, owner_name(job.owner)), *teams, *tags]


def _scope(kind: ScopeKind, name: str) -> Scope:
    return Scope(kind, _bounded(name))


def _bounded(name: str) -> str:
    """Returns the name, shortened if it is too long."""
    whole = name.encode()
    if len(whole) <= _LONGEST:
        return name
    # Tags cannot contain #, and the digest covers the whole name, so no two shortened names are the same.
    digest = "#" + sha256(whole).hexdigest()[:16]
    return whole[: _LONGEST - len(digest)].decode(errors="ignore") + digest


@dataclass(frozen=True, slots=True)
class SpendingRules:
    time_zone: ZoneInfo  # the zone in which months begin and end
    limits: tuple[SpendingLimit, ...]

    def scopes_of(self, job: Job, team: str) -> list[Scope]:
        """Returns the job's scopes to which a limit applies."""
        scopes = (limit.scope_of(job, team) for limit in self.limits)
        return list(dict.fromkeys(scope for scope in scopes if scope is not None))
