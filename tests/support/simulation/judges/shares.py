"""Judges teams: no attempt starts on a reserve of another team, or beyond its team's ceiling.

This model shares no code with the queue. New limits stop no running job, so this module judges each start, not the
held instances.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from support.account.account import Account
from support.simulation.judges.budgets import BudgetJudge
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import ConfigurationJudge
from support.simulation.judges.teams import Shares, team_of


class ShareJudge:
    def __init__(
        self, account: Account, checks: Checks, configurations: ConfigurationJudge, budgets: BudgetJudge
    ) -> None:
        self._account, self._check, self._configurations, self._budgets = account, checks.check, configurations, budgets

    def check_start(
        self, job: Job, attempt: Attempt, live: Iterable[tuple[Job, Attempt]], reserved: Counter[str]
    ) -> None:
        """Checks a new attempt against all sections that its cycle may have read.

        `live` and `reserved` include the attempt.
        """
        seen, live = self._configurations.seen("shares"), list(live)
        if not any(seen):
            return
        demand = Counter(dict(attempt.demand.counts))
        held = [(shares, _held_by_team(live, shares), team_of(job, shares)) for shares in seen]
        is_below = any(_is_below_ceiling(demand, held[team], shares.get(team, {})) for shares, held, team in held)
        self._check("shares", is_below, f"{attempt.name} starts beyond its team's ceiling: {held}")
        is_free = any(
            _leaves_reserves(demand, held, team, shares, budget - reserved)
            for shares, held, team in held
            for budget in self._budgets.seen()
        )
        self._check("shares", is_free, f"{attempt.name} starts on another team's reserve: {held}, reserved {reserved}")

    def may_ever_hold(self, job: Job) -> bool:
        """Returns whether the job could start, if no job held instances. Its team may have a lower priority ceiling."""
        shares = self._configurations.now.content("shares")
        ceiling = shares.get(team_of(job, shares), {}).get("priority_ceiling")
        is_allowed = ceiling is None or job.options.priority <= ceiling
        return is_allowed and self.may_start(job, (), self._budgets.now)

    def may_start(self, job: Job, live: Iterable[tuple[Job, Attempt]], free: Counter[str]) -> bool:
        """Returns whether ceilings and reserves allow the job to start on the free instances now."""
        shares = self._configurations.now.content("shares")
        demand, team = Counter(dict(job.spec.demand.counts)), team_of(job, shares)
        held = _held_by_team(live, shares)
        held[team] += demand
        left = Counter(free)
        left.subtract(demand)
        is_below = _is_below_ceiling(demand, held[team], shares.get(team, {}))
        return is_below and _leaves_reserves(demand, held, team, shares, left)


def _held_by_team(live: Iterable[tuple[Job, Attempt]], shares: Shares) -> dict[str, Counter[str]]:
    held: dict[str, Counter[str]] = {name: Counter() for name in ("", *shares)}
    for job, attempt in live:
        held[team_of(job, shares)].update(dict(attempt.demand.counts))
    return held


def _is_below_ceiling(demand: Counter[str], held: Counter[str], team: Mapping[str, Any]) -> bool:
    quota, ceiling = team.get("quota", {}), team.get("ceiling", {})
    borrowed = {kind: quota.get(kind, 0) + count for kind, count in team.get("borrow_at_most", {}).items()}
    return all(held[kind] <= most[kind] for most in (ceiling, borrowed) for kind in demand if kind in most)


def _leaves_reserves(
    demand: Counter[str], held: Mapping[str, Counter[str]], team: str, shares: Shares, free: Counter[str]
) -> bool:
    """Returns whether the unused reserves of other teams are free, for each type beyond the team's own reserve."""
    return all(
        held[team][kind] <= _reserve(shares.get(team, {}), kind)
        or sum(max(0, _reserve(shares[name], kind) - held[name][kind]) for name in shares if name != team) <= free[kind]
        for kind in demand
    )


def _reserve(team: Mapping[str, Any], kind: str) -> int:
    quota: int = team.get("quota", {}).get(kind, 0)
    lent: int = team.get("lend", {}).get(kind, quota)
    return quota - lent
