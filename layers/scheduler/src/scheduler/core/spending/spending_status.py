"""Which limits on spending are used up at a moment, or cannot be kept to, and for which jobs that counts."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import Team, team_of
from scheduler.core.spending.limits import Measure, Scope, SpendingLimit
from scheduler.core.spending.prices.price import PriceList


@frozen
class SpendingStatus:
    """Reasons are by a limit's name and a scope."""

    limits: Sequence[SpendingLimit] = ()
    teams: Sequence[Team] = ()
    prices: PriceList = field(factory=lambda: PriceList({}, ""))
    holding: Mapping[tuple[str, Scope], Reason] = field(factory=dict)  # nothing is started
    stopping: Mapping[tuple[str, Scope], Reason] = field(factory=dict)  # what runs is stopped
    near: Mapping[tuple[str, Scope], str] = field(factory=dict)  # not yet, but soon: in a sentence

    def against(self, job: Job) -> Reason | None:
        """Why the job may not start now."""
        return self._first(self.holding, job) or self._unpriced(job)

    def why_it_stops(self, job: Job) -> Reason | None:
        return self._first(self.stopping, job)

    def near_of(self, job: Job) -> tuple[str, ...]:
        """What there is to say of its limits that are nearly used."""
        return tuple(self.near[key] for key in self._keys_of(job) if key in self.near) if self.near else ()

    def _first(self, reasons: Mapping[tuple[str, Scope], Reason], job: Job) -> Reason | None:
        if not reasons:
            return None
        return next((reasons[key] for key in self._keys_of(job) if key in reasons), None)

    def _keys_of(self, job: Job) -> Iterator[tuple[str, Scope]]:
        team = team_name(job, self.teams)
        scopes = ((limit.name, limit.scope_of(job, team)) for limit in self.limits)
        return ((name, scope) for name, scope in scopes if scope is not None)

    def _unpriced(self, job: Job) -> Reason | None:
        in_dollars = [limit for limit in self.limits if limit.measure is Measure.DOLLARS]
        team = team_name(job, self.teams) if in_dollars else ""
        for limit in in_dollars:
            if limit.scope_of(job, team) is not None:
                unknown = self.prices.unknown(*(option.demand for option in job.each_variant))
                return no_price(limit, unknown) if unknown else None
        return None


def no_price(limit: SpendingLimit, unknown: Sequence[str]) -> Reason:
    message = f"the spending limit {limit.name} is in dollars, and no price of {', '.join(unknown)} is known"
    return Reason(ReasonCode.SPENDING_LIMIT, f"{message}: an operator has to lay it down (sagequeue prices apply)")


def team_name(job: Job, teams: Sequence[Team]) -> str:
    team = team_of(job.owner, teams)
    return team.name if team else ""
