"""Estimates the cost of a job, in US dollars, before any of its attempts has ended."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.job import Job
from scheduler.core.spending.prices.price import PriceList


@dataclass(frozen=True, slots=True)
class CostRange:
    """The cost of one attempt that runs to its end; None if a price is not known."""

    least: Decimal | None  # for the run time of similar jobs, with the cheapest choice
    most: Decimal | None  # for the whole time limit, with the dearest choice
    expected_run_time: float  # seconds, with the first choice; the time limit if no similar jobs are known
    max_runtime: int
    spot: bool  # `least` includes the saving of spot instances only if operators set a spot_share
    unknown: tuple[str, ...]
    as_of: date | None


def cost_range(job: Job, history: RuntimeStats, prices: PriceList) -> CostRange:
    variants = job.each_variant
    least = [_least(variant, history, prices) for variant in variants]
    most = [prices.cost(variant.demand, variant.max_runtime) for variant in variants]
    demands = [variant.demand for variant in variants]
    return CostRange(
        least=_if_all_known(least, min),
        most=_if_all_known(most, max),
        expected_run_time=history.expected_run_time(variants[0]),
        max_runtime=max(variant.max_runtime for variant in variants),
        spot=any(_is_spot(variant) for variant in variants),
        unknown=prices.unknown(*demands),
        as_of=prices.as_of(*demands),
    )


def _least(variant: Job, history: RuntimeStats, prices: PriceList) -> Decimal | None:
    cost = prices.cost(variant.demand, history.expected_run_time(variant))
    share = prices.spot_share(variant.demand) if _is_spot(variant) else None
    return cost * share if cost is not None and share is not None else cost


def _is_spot(job: Job) -> bool:
    return job.spot and not job.on_demand


def _if_all_known(costs: Sequence[Decimal | None], chosen: Callable[[Iterable[Decimal]], Decimal]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return chosen(known) if len(known) == len(costs) else None
