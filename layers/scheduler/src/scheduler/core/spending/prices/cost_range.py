"""What a job may cost, in US dollars, before any of its attempts has ended."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal

from attrs import frozen

from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.job import Job
from scheduler.core.spending.prices.price import PriceList


@frozen
class CostRange:
    """What one attempt may cost that runs to its end; None where that is not known."""

    least: Decimal | None  # if it takes as long as jobs like it did, with its cheapest choice
    most: Decimal | None  # if it takes all of its time limit, with its dearest choice
    expected_run_time: float  # seconds, with the first choice; the time limit, where no jobs like it are known
    max_runtime: int
    spot: bool  # what spot instances save is in `least` only where operators say how much that is
    unknown: tuple[str, ...]
    as_of: date | None


def cost_range(job: Job, history: RuntimeStats, prices: PriceList) -> CostRange:
    options = job.each_variant
    least = [_least(option, history, prices) for option in options]
    most = [prices.cost(option.demand, option.max_runtime) for option in options]
    demands = [option.demand for option in options]
    return CostRange(
        least=_if_all_known(least, min),
        most=_if_all_known(most, max),
        expected_run_time=history.expected_run_time(options[0]),
        max_runtime=max(option.max_runtime for option in options),
        spot=any(_is_spot(option) for option in options),
        unknown=prices.unknown(*demands),
        as_of=prices.as_of(*demands),
    )


def _least(option: Job, history: RuntimeStats, prices: PriceList) -> Decimal | None:
    cost = prices.cost(option.demand, history.expected_run_time(option))
    share = prices.spot_share(option.demand) if _is_spot(option) else None
    return cost * share if cost is not None and share is not None else cost


def _is_spot(job: Job) -> bool:
    return job.spot and not job.on_demand


def _if_all_known(costs: Sequence[Decimal | None], chosen: Callable[[Iterable[Decimal]], Decimal]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return chosen(known) if len(known) == len(costs) else None
