"""Counts the instance time of ended attempts and warm pools, by month and scope."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.spending.limits import Scope, SpendingRules, every_scope_of
from scheduler.core.spending.months import shares
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey

#: While the document cannot be read, attempts count for every scope that it may limit, in months of this zone.
_ANY_ZONE = ZoneInfo("UTC")
#: The most that one transaction can write, in two months.
_MOST_SCOPES = 42


def scopes_of(job: Job, team: str, rules: SpendingRules | None) -> list[Scope]:
    """Returns the scopes that the job counts for; without readable rules, every scope that a limit may apply to."""
    if rules is None:
        return every_scope_of(job, team)[:_MOST_SCOPES]
    scopes = (limit.scope_of(job, team) for limit in rules.limits)
    return list(dict.fromkeys(scope for scope in scopes if scope is not None))


def added_by_attempt(
    job: Job, ended: EndedAttempt, scopes: Iterable[Scope], rules: SpendingRules | None
) -> dict[SpentTimeKey, SpentTime]:
    """Returns the counts of an ended attempt. Until SageMaker reports billable seconds, all seconds count as billed."""
    began = ended.training_started_at or (ended.reserved_at if ended.outcome is Outcome.VANISHED else None)
    if began is None or ended.ended_at <= began:
        return {}
    held = (ended.ended_at - began).total_seconds()
    billed = held if ended.billable_seconds is None else ended.billable_seconds
    return _added(job.demand_of(ended), began, ended.ended_at, scopes, rules, held=held, billed=billed)


def added_by_pool(
    demand: Demand, ended_at: datetime, retained_seconds: int, scopes: Iterable[Scope], rules: SpendingRules | None
) -> dict[SpentTimeKey, SpentTime]:
    """Returns the counts of a warm pool that is gone, and that an attempt left when it ended."""
    until = ended_at + timedelta(seconds=retained_seconds)
    return _added(demand, ended_at, until, scopes, rules, held=retained_seconds, billed=retained_seconds)


def totals_with(
    known: Mapping[SpentTimeKey, SpentTime | None], added: Mapping[SpentTimeKey, SpentTime]
) -> dict[SpentTimeKey, SpentTime]:
    """Returns the sums of known and added counts. Counts that cannot be read are left out, for operators to repair."""
    counts = {key: known.get(key, SpentTime()) for key in added}
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
) -> dict[SpentTimeKey, SpentTime]:
    parts = list(shares(begins, ends, rules.time_zone if rules else _ANY_ZONE))
    return {
        SpentTimeKey(month, scope): SpentTime(
            _instance_seconds(demand, held * share), _instance_seconds(demand, billed * share)
        )
        for scope in scopes
        for month, share in parts
    }


def _instance_seconds(demand: Demand, seconds: float) -> dict[str, float]:
    return {instance_type: count * seconds for instance_type, count in demand.counts}
