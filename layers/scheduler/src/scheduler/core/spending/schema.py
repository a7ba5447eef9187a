"""The schema of the section `spending`: monthly spending limits."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from zoneinfo import ZoneInfo

from scheduler.core.jobs.principal import PERSON_ID
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field
from scheduler.core.spending.limits import EACH, LimitAction, Measure, ScopeKind, SpendingLimit, SpendingRules
from scheduler.core.spending.prices.price import PriceList

#: One transaction counts a finished attempt for each scope and month, and may have 100 writes (aws-facts 4.21).
MOST_LIMITS = 40
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OWNER = re.compile(rf"\*|root|(role|user)/[\w+=,.@-]{{1,64}}|person/{PERSON_ID}", re.ASCII)
_LONGEST = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limit:
    """A limit as operators write it."""

    name: str
    owner: str | None = None
    team: str | None = None
    tag: str | None = None
    gpu_hours: Decimal | None = None
    dollars: Decimal | None = None
    warn_at: Decimal = Decimal("0.8")
    then: LimitAction = LimitAction.HOLD

    def __post_init__(self) -> None:
        has_scope = [self.owner, self.team, self.tag].count(None) == 2
        has_measure = [self.gpu_hours, self.dollars].count(None) == 1
        is_owner = self.owner is None or _OWNER.fullmatch(self.owner)
        is_tag = self.tag is None or (not self.tag.startswith("=") and len(self.tag) <= _LONGEST)
        check_field("name", _NAME.fullmatch(self.name), "must be 1 to 64 letters, digits, - and _")
        if not has_scope:
            raise ValueError("must have exactly one of owner, team and tag")
        if not has_measure:
            raise ValueError("must have exactly one of gpu_hours and dollars")
        check_field("owner", is_owner, "must be role/NAME, user/NAME, person/ID, root, or * for each owner separately")
        check_field("tag", is_tag, f"must be KEY=VALUE, or KEY for each value, up to {_LONGEST} characters")
        for member, most in (("gpu_hours", self.gpu_hours), ("dollars", self.dollars)):
            check_field(member, most is None or 0 <= most <= 10**9, "must be 0 or more, and at most 1000000000")
        check_field("warn_at", 0 < self.warn_at <= 1, "must be above 0, and at most 1: it is a share of the limit")

    def limit(self) -> SpendingLimit:
        given = {ScopeKind.OWNER: self.owner, ScopeKind.TEAM: self.team, ScopeKind.TAG: self.tag}
        ((kind, name),) = ((kind, name) for kind, name in given.items() if name is not None)
        measures = {Measure.GPU_HOURS: self.gpu_hours, Measure.DOLLARS: self.dollars}
        ((measure, most),) = ((measure, most) for measure, most in measures.items() if most is not None)
        return SpendingLimit(self.name, kind, name, measure, most, self.warn_at, self.then)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    time_zone: ZoneInfo = field(default_factory=partial(ZoneInfo, "UTC"))
    limits: tuple[_Limit, ...] = ()

    def rules(self) -> SpendingRules:
        return SpendingRules(self.time_zone, tuple(limit.limit() for limit in self.limits))


def problems(
    rules: SpendingRules, teams: Collection[str], types: Collection[str], prices: PriceList
) -> Iterator[FieldProblem]:
    """Yields problems: limits that are repeated, for an unknown team, or without a price for a type in `types`."""
    limits = rules.limits
    if len(limits) > MOST_LIMITS:
        yield "limits", f"must be at most {MOST_LIMITS}"
        return
    unpriced = prices.unknown(types)
    for index, limit in enumerate(limits):
        path = f"limits[{index}]"
        for earlier in limits[:index]:
            if earlier.name == limit.name:
                yield f"{path}.name", f"{limit.name!r} is the name of a limit above"
            elif (earlier.kind, earlier.scope_name, earlier.measure) == (limit.kind, limit.scope_name, limit.measure):
                yield f"{path}.{limit.measure}", f"{limit.kind} {limit.scope_name} has a limit above in {limit.measure}"
        if limit.kind is ScopeKind.TEAM and limit.scope_name not in (EACH, *teams):
            yield f"{path}.team", f"must be * or one of the teams in shares ({', '.join(sorted(teams)) or 'none'})"
        if limit.measure is Measure.DOLLARS and unpriced:
            problem = f"no price of {', '.join(unpriced)} is known; add it to prices"
            yield f"{path}.dollars", f"cannot be checked: {problem}"


SCHEMA = Schema(_Content, _Content.rules)
