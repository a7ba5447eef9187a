"""The status of all spending limits at one moment: which jobs cannot start or must stop, and which limits are near."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.team import Team, team_of
from scheduler.core.spending.limits import Measure, Scope, SpendingLimit
from scheduler.core.spending.prices.price import PriceList

#: Seconds after a checkpoint within which a job is stopped: long enough for a sweep to run.
_JUST_SAVED = 300.0


@dataclass(frozen=True, slots=True)
class SpendingStatus:
    """The spending limits, and their reasons to block or stop jobs, by limit name and scope."""

    limits: Sequence[SpendingLimit] = ()
    teams: Sequence[Team] = ()
    prices: PriceList = field(default_factory=lambda: PriceList({}, ""))
    blocking: Mapping[tuple[str, Scope], Reason] = field(default_factory=dict)  # no job of the scope starts
    stopping: Mapping[tuple[str, Scope], Reason] = field(default_factory=dict)  # running jobs of the scope are stopped
    near: Mapping[tuple[str, Scope], str] = field(default_factory=dict)  # sentences about nearly used limits

    def blocking_reason(self, job: Job) -> Reason | None:
        """Returns the reason why the job cannot start; None if it can."""
        return self._first(self.blocking, job) or self._unknown_price(job)

    def jobs_to_stop(self, live: Iterable[LiveJob], now: datetime) -> list[tuple[LiveJob, Reason]]:
        """Returns the jobs to stop now, because a limit is used up and they have just saved their work."""
        saved = (live_job for live_job in live if self.stopping and _has_just_saved(live_job, now))
        return [(live_job, reason) for live_job in saved if (reason := self._first(self.stopping, live_job.job))]

    def near_limits_of(self, job: Job) -> tuple[str, ...]:
        """Returns sentences about the job's limits that are nearly used up."""
        return tuple(self.near[key] for key in self._keys_of(job) if key in self.near) if self.near else ()

    def _first(self, reasons: Mapping[tuple[str, Scope], Reason], job: Job) -> Reason | None:
        return next((reasons[key] for key in self._keys_of(job) if key in reasons), None) if reasons else None

    def _keys_of(self, job: Job) -> Iterator[tuple[str, Scope]]:
        team = team_name(job, self.teams)
        scopes = ((limit.name, limit.scope_of(job, team)) for limit in self.limits)
        return ((name, scope) for name, scope in scopes if scope is not None)

    def _unknown_price(self, job: Job) -> Reason | None:
        in_dollars = [limit for limit in self.limits if limit.measure is Measure.DOLLARS]
        team = team_name(job, self.teams) if in_dollars else ""
        for limit in in_dollars:
            if limit.scope_of(job, team) is not None:
                unknown = self.prices.unknown(*(variant.spec.demand for variant in job.each_variant))
                return unknown_price_reason(limit, unknown) if unknown else None
        return None


def unknown_price_reason(limit: SpendingLimit, unknown: Sequence[str]) -> Reason:
    message = f"the spending limit {limit.name} is in dollars, and no price of {', '.join(unknown)} is known"
    return Reason(ReasonCode.SPENDING_LIMIT, f"{message}: an operator must add it to the section prices")


def team_name(job: Job, teams: Sequence[Team]) -> str:
    """Returns the name of the owner's team, or an empty string if the owner has none."""
    team = team_of(job, teams)
    return team.name if team else ""


def _has_just_saved(live: LiveJob, now: datetime) -> bool:
    """Returns whether a stop would lose little work now."""
    if live.job.spec.checkpoint_uri is None:
        return False  # it runs to completion
    if live.attempt.listens or live.job.checkpoint_interval is None:
        return True  # it saves when notified; or its save times are unknown, so no moment is better than another
    unsaved = live.unsaved_work(now).seconds
    return unsaved < min(_JUST_SAVED, (now - live.started_at).total_seconds())
