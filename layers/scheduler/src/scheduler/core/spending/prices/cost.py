"""Calculates and estimates the cost of attempts and jobs, in US dollars, from billed seconds and the known prices."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.unsaved_work import unsaved_work
from scheduler.core.spending.prices.price import PriceList

# An instance is billed by the second: for the training seconds that Describe reports as billable (aws-facts 2.8), and
# for the seconds in which a warm pool was kept.
_NOTHING = Decimal()
#: A difference of fewer seconds is not a saving from spot instances, because SageMaker bills whole seconds.
_ROUNDED_OFF = 1.0


@dataclass(frozen=True, slots=True)
class Cost:
    training: Decimal = _NOTHING
    retained: Decimal = _NOTHING  # the cost of the warm pool that the attempt left
    saved: Decimal = _NOTHING  # training that was not billed because of spot instances
    wasted_at_most: Decimal = _NOTHING  # training lost to a failure, or to a preemption after the last checkpoint
    is_final: bool = True  # False: SageMaker has not reported the billed seconds yet, so this is the most

    @property
    def total(self) -> Decimal:
        return self.training + self.retained

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.training + other.training,
            self.retained + other.retained,
            self.saved + other.saved,
            self.wasted_at_most + other.wasted_at_most,
            self.is_final and other.is_final,
        )


@dataclass(frozen=True, slots=True)
class JobCost:
    attempts: tuple[Cost | None, ...]  # in order, the live attempt last; None: a type has no known price
    unknown: tuple[str, ...]  # types without a known price
    as_of: date | None  # the day of the oldest price used

    @property
    def total(self) -> Cost:
        """Returns the sum over the attempts with a known cost."""
        return sum((cost for cost in self.attempts if cost is not None), Cost())


def cost_of_job(job: Job, live: Attempt | None, prices: PriceList, now: datetime) -> JobCost:
    costs = [cost_of_attempt(ended, job, prices) for ended in job.status.history]
    costs += [_cost_so_far(live, prices, now)] if live else []
    demands = [job.demand_of(ended) for ended in job.status.history] + ([live.demand] if live else [])
    return JobCost(tuple(costs), prices.unknown(*demands), prices.as_of(*demands))


def cost_of_attempt(ended: EndedAttempt, job: Job, prices: PriceList) -> Cost | None:
    """Returns the cost of a finished attempt; None if one of its types has no known price."""
    demand, trained = job.demand_of(ended), ended.trained_seconds
    billed = trained if ended.billable_seconds is None else ended.billable_seconds
    training, retained = prices.cost(demand, billed), prices.cost(demand, ended.retained_seconds)
    unbilled = trained - billed
    saved = prices.cost(demand, unbilled if unbilled >= _ROUNDED_OFF else 0.0)
    if training is None or retained is None or saved is None:
        return None
    wasted = training * Decimal(wasted_share(ended, job))
    return Cost(training, retained, saved, wasted, is_final=ended.billable_seconds is not None or not trained)


def wasted_share(ended: EndedAttempt, job: Job) -> float:
    """Returns the largest share of training that may be lost: all in a failure, the unsaved part in a preemption."""
    if ended.outcome is Outcome.FAILED:
        return 1.0
    if ended.outcome is not Outcome.PREEMPTED:
        return 0.0
    if ended.training_started_at is None or not ended.trained_seconds:
        return 1.0
    lost = unsaved_work(ended.training_started_at, ended.ended_at, ended.saved, job.checkpoint_interval)
    return lost.at_most / ended.trained_seconds


def _cost_so_far(live: Attempt, prices: PriceList, now: datetime) -> Cost | None:
    """Returns the most that a live attempt may have cost so far. Spot may cost less, and startup is not billed."""
    started = live.observation.training_started_at if live.observation else None
    ended = live.observation.ended_at if live.observation else None
    seconds = ((ended or now) - started).total_seconds() if started else 0.0
    training = prices.cost(live.demand, max(0.0, seconds))
    return None if training is None else Cost(training, is_final=False)


@dataclass(frozen=True, slots=True)
class CostRange:
    """The cost range of one attempt that runs to completion. Both bounds are None if a price is unknown."""

    least: Decimal | None  # for similar jobs' run time, with the cheapest choice
    most: Decimal | None  # for the whole time limit, with the most expensive choice
    expected_run_time: float  # seconds, with the first choice; the time limit if no similar jobs are known
    max_runtime: int
    spot: bool  # `least` includes the spot saving only if operators set a spot_share
    unknown: tuple[str, ...]
    as_of: date | None


def cost_range(job: Job, history: RuntimeStats, prices: PriceList) -> CostRange:
    variants = job.each_variant
    least = [_least(variant, history, prices) for variant in variants]
    most = [prices.cost(variant.spec.demand, variant.spec.max_runtime) for variant in variants]
    demands = [variant.spec.demand for variant in variants]
    return CostRange(
        least=_if_all_known(least, min),
        most=_if_all_known(most, max),
        expected_run_time=history.expected_run_time(variants[0]),
        max_runtime=max(variant.spec.max_runtime for variant in variants),
        spot=any(variant.is_on_spot for variant in variants),
        unknown=prices.unknown(*demands),
        as_of=prices.as_of(*demands),
    )


def most_of_one_choice(job: Job, prices: PriceList) -> Decimal | None:
    """Returns the cost of an attempt with the job's current choice and whole time limit; None if it is unknown."""
    one = replace(job, choices=())
    return _if_all_known([prices.cost(each.spec.demand, each.spec.max_runtime) for each in one.each_variant], max)


def _least(variant: Job, history: RuntimeStats, prices: PriceList) -> Decimal | None:
    cost = prices.cost(variant.spec.demand, history.expected_run_time(variant))
    share = prices.spot_share(variant.spec.demand) if variant.is_on_spot else None
    return cost * share if cost is not None and share is not None else cost


def _if_all_known(costs: Sequence[Decimal | None], chosen: Callable[[Iterable[Decimal]], Decimal]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return chosen(known) if len(known) == len(costs) else None
