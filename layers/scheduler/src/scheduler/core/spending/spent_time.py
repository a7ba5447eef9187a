"""Computes the instance time that finished attempts and warm pools spent in a month, by type."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.spending.limits import Measure, Scope, SpendingRules, every_scope_of
from scheduler.core.spending.prices.price import PriceList, in_dollars


@dataclass(frozen=True, slots=True)
class Month:
    name: str  # 2026-11
    begins: datetime
    ends: datetime  # when the next one begins


def month_of(moment: datetime, zone: ZoneInfo) -> Month:
    local = moment.astimezone(zone)
    begins = datetime(local.year, local.month, 1, tzinfo=zone)
    ends = datetime(local.year + local.month // 12, local.month % 12 + 1, 1, tzinfo=zone)
    return Month(f"{local:%Y-%m}", begins, ends)


def shares(begins: datetime, ends: datetime, zone: ZoneInfo) -> Iterator[tuple[str, float]]:
    """Yields each month between two times, with its share of the time between them."""
    start, end = begins.timestamp(), ends.timestamp()  # a difference of local times would ignore clock changes
    at = start
    while at < end:
        month = month_of(datetime.fromtimestamp(at, zone), zone)
        until = min(end, month.ends.timestamp())
        yield month.name, (until - at) / (end - start)
        at = until


_HOUR = 3600
#: While the rules cannot be read, attempts count for every scope that a limit may apply to, in months of this zone.
_ANY_ZONE = ZoneInfo("UTC")
#: The most scopes for which one transaction can write two months.
_MOST_SCOPES = 42


class SpentTimeKey(NamedTuple):
    month: str  # 2026-11
    scope: Scope


# Time is stored instead of dollars, so that a new or corrected price applies to the whole month.
@dataclass(frozen=True, slots=True)
class SpentTime:
    """Instance seconds by type, including those of warm pools."""

    held: Mapping[str, float] = field(default_factory=dict)  # while training
    billed: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, demand: Demand, *, held: float, billed: float) -> "SpentTime":
        """Returns the spent time of these instances, each of which was held and billed for this many seconds."""
        return cls(
            {line: count * held for line, count in demand.counts},
            {line: count * billed for line, count in demand.counts},
        )

    def plus(self, other: "SpentTime") -> "SpentTime":
        return SpentTime(_sum(self.held, other.held), _sum(self.billed, other.billed))

    def amount(self, measure: Measure, prices: PriceList) -> Decimal | None:
        """Returns GPU hours or dollars; None if a price is unknown. Prepaid training plans cost no dollars here."""
        if measure is Measure.GPU_HOURS:
            gpu_seconds = sum(prices.gpus_of(instance_type) * seconds for instance_type, seconds in self.held.items())
            return Decimal(gpu_seconds) / _HOUR
        if prices.unknown(self.billed):
            return None
        dollars = (prices.hourly(line) * Decimal(seconds) for line, seconds in self.billed.items())
        return sum(dollars, Decimal()) / _HOUR

    def summary(self, prices: PriceList) -> str:
        """Returns words such as `8.0 instance hours, 32.0 GPU hours, $45.12`."""
        hours, gpu_hours = Decimal(sum(self.held.values())) / _HOUR, self.amount(Measure.GPU_HOURS, prices)
        dollars = self.amount(Measure.DOLLARS, prices)
        cost = "unknown cost" if dollars is None else f"${in_dollars(dollars)}"
        return f"{hours:.1f} instance hours, {gpu_hours:.1f} GPU hours, {cost}"


def _sum(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    return {line: first.get(line, 0.0) + second.get(line, 0.0) for line in {**first, **second}}


def scopes_of(job: Job, team: str, rules: SpendingRules | None) -> list[Scope]:
    """Returns the job's scopes that have a limit or, if the rules are unreadable, all that may have a limit."""
    return every_scope_of(job, team)[:_MOST_SCOPES] if rules is None else rules.scopes_of(job, team)


def added_by_attempt(
    job: Job, ended: EndedAttempt, scopes: Iterable[Scope], rules: SpendingRules | None
) -> dict[SpentTimeKey, SpentTime]:
    """Returns the time that a finished attempt adds. Until SageMaker reports billable seconds, all seconds count."""
    began = ended.training_started_at or (ended.reserved_at if ended.outcome is Outcome.VANISHED else None)
    if began is None or ended.ended_at <= began:
        return {}
    held = (ended.ended_at - began).total_seconds()
    billed = held if ended.billable_seconds is None else ended.billable_seconds
    return _added(job.demand_of(ended), began, ended.ended_at, scopes, rules, held=held, billed=billed)


def added_by_pool(
    demand: Demand, ended_at: datetime, retained_seconds: int, scopes: Iterable[Scope], rules: SpendingRules | None
) -> dict[SpentTimeKey, SpentTime]:
    """Returns the time that an ended warm pool adds. The pool began when its attempt ended, at `ended_at`."""
    until = ended_at + timedelta(seconds=retained_seconds)
    return _added(demand, ended_at, until, scopes, rules, held=retained_seconds, billed=retained_seconds)


def totals_with(
    known: Mapping[SpentTimeKey, SpentTime | None], added: Mapping[SpentTimeKey, SpentTime]
) -> dict[SpentTimeKey, SpentTime]:
    """Returns the sums of known and added counts. Omits unreadable counts, so that operators can repair them."""
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
        SpentTimeKey(month, scope): SpentTime.of(demand, held=held * share, billed=billed * share)
        for scope in scopes
        for month, share in parts
    }
