"""Ranks the choices of a job with `order: best` by their expected cost, if enough attempts show what they cost.

The expected cost of a choice is its realised price for an hour of useful training, multiplied by its instances and its
time limit. With its time limits, a user states how long the job takes on each choice.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf

from scheduler.core.capacity.attempt_statistics import AttemptStatistics, location_of
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ChoiceOrder
from scheduler.core.spending.prices.price import PriceList

#: With fewer attempts, by weight, a choice keeps its place: a few attempts may have been unusual.
MIN_ATTEMPTS = 5
_NO_PRICES = PriceList({}, "")
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class ChoiceCosts:
    statistics: Mapping[Location, AttemptStatistics] = field(default_factory=dict)
    prices: PriceList = _NO_PRICES

    def numbers_in_order(self, job: Job) -> list[int]:
        """Returns the numbers of the job's choices, best first.

        Choices with a known cost are sorted by it, among their own places. All other choices keep their places, so
        without statistics, the order is the user's.
        """
        if job.options.order is ChoiceOrder.GIVEN:
            return [choice.choice for choice in job.choices]
        costs = [self.cost_of(option) for option in job.each_choice]
        cheapest_first = iter(sorted((cost, number) for number, cost in enumerate(costs) if cost is not None))
        return [number if cost is None else next(cheapest_first)[1] for number, cost in enumerate(costs)]

    def cost_of(self, option: Job) -> float | None:
        """Returns the expected cost in dollars of the job with its current choice; None if it is unknown."""
        price = self._realised_price(option)
        return None if price is None else _expected_cost(option, price)

    def sentences(self, job: Job) -> Iterator[str]:
        """Yields a sentence about each choice, best first, if the job's choices are ranked."""
        if job.options.order is ChoiceOrder.BEST:
            yield from (self.sentence(job.as_choice(number)) for number in self.numbers_in_order(job))

    def sentence(self, option: Job) -> str:
        """Returns the expected cost and the realised price of the job's current choice."""
        instances = f"{option.spec.demand}{' spot' * option.is_on_spot}"
        return f"choice {option.spec.choice} ({instances}): {self._cost_text(option)}"

    def _cost_text(self, option: Job) -> str:
        if _location(option) is None:
            return "choices with these instances have no statistics"
        known, price = self._known(option), self._realised_price(option)
        attempts = known.attempts if known else 0.0
        if attempts < MIN_ATTEMPTS:
            return f"too few recent attempts ({attempts:.0f} of {MIN_ATTEMPTS})"
        if price is None:
            return "its price is unknown"
        if price == inf:
            return f"no training was useful, over {attempts:.0f} recent attempts"
        cost = _expected_cost(option, price)
        return f"${cost:.2f} at its time limit, ${price:.2f} per useful hour, over {attempts:.0f} recent attempts"

    def _realised_price(self, option: Job) -> float | None:
        """Returns the dollars that an hour of useful training on one instance has cost; None if it is unknown."""
        location, known = _location(option), self._known(option)
        if location is None or known is None or known.attempts < MIN_ATTEMPTS:
            return None
        if self.prices.unknown([location.instance_type]):
            return None
        return float(self.prices.hourly(location.instance_type)) * known.billed_share

    def _known(self, option: Job) -> AttemptStatistics | None:
        location = _location(option)
        return self.statistics.get(location) if location else None


def _location(option: Job) -> Location | None:
    return location_of(option.spec.demand, spot=option.is_on_spot)


def _expected_cost(option: Job, price: float) -> float:
    return price * sum(count for _, count in option.spec.demand.counts) * option.spec.max_runtime / _HOUR


NO_COSTS = ChoiceCosts()
