"""What an attempt, and the pool that it left, adds to which counts."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.spending.limits import Scope, SpendingRules, every_scope_of
from scheduler.core.spending.months import shares
from scheduler.core.spending.spent import Spent, SpentKey

#: While the document cannot be read, what ends is counted for whatever it may have limits on, in months of this zone.
_ANY_ZONE = ZoneInfo("UTC")
#: As many as one transaction has room for, in two months.
_MOST_SCOPES = 42


def scopes_of(job: Job, team: str, rules: SpendingRules | None) -> list[Scope]:
    """What is counted together with the job; without readable rules all that there may be limits on."""
    if rules is None:
        return every_scope_of(job, team)[:_MOST_SCOPES]
    found = (limit.scope_of(job, team) for limit in rules.limits)
    return list(dict.fromkeys(scope for scope in found if scope is not None))


def added_by_attempt(
    job: Job, past: EndedAttempt, scopes: Iterable[Scope], rules: SpendingRules | None
) -> dict[SpentKey, Spent]:
    """By its end. What SageMaker has not said that it bills counts as billed."""
    began = past.training_started_at or (past.reserved_at if past.outcome is Outcome.VANISHED else None)
    if began is None or past.ended_at <= began:
        return {}
    held = (past.ended_at - began).total_seconds()
    billed = held if past.billable_seconds is None else past.billable_seconds
    return _added(job.demand_of(past), began, past.ended_at, scopes, rules, held=held, billed=billed)


def added_by_pool(
    demand: Demand, ended_at: datetime, retained: int, scopes: Iterable[Scope], rules: SpendingRules | None
) -> dict[SpentKey, Spent]:
    """By the end of the pool that an attempt left when it ended."""
    until = ended_at + timedelta(seconds=retained)
    return _added(demand, ended_at, until, scopes, rules, held=retained, billed=retained)


def total_of(known: Mapping[SpentKey, Spent | None], added: Mapping[SpentKey, Spent]) -> dict[SpentKey, Spent]:
    """The counts with what is added. One that cannot be read stays as it is, for somebody to repair or delete it."""
    counts = {key: known.get(key, Spent()) for key in added}
    return {key: count.plus(added[key]) for key, count in counts.items() if count is not None}


def _added(
    demand: Demand,
    begins: datetime,
    ends: datetime,
    scopes: Iterable[Scope],
    rules: SpendingRules | None,
    *,
    held: float,
    billed: float,
) -> dict[SpentKey, Spent]:
    parts = list(shares(begins, ends, rules.time_zone if rules else _ANY_ZONE))
    return {
        SpentKey(month, scope): Spent(_on(demand, held * share), _on(demand, billed * share))
        for scope in scopes
        for month, share in parts
    }


def _on(demand: Demand, seconds: float) -> dict[str, float]:
    return {kind: count * seconds for kind, count in demand.counts}
