"""What attempts and jobs cost, in US dollars: what SageMaker bills for them, at the prices that are known.

An instance is billed by the second: those of training that Describe tells as billable (aws-facts 2.8), and those for
which a warm pool was kept.
"""

from datetime import date, datetime
from decimal import Decimal

from attrs import frozen

from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.spending.prices.price import PriceList

_NOTHING = Decimal()
#: Seconds that spot instances did not save: SageMaker bills whole ones.
_ROUNDED_OFF = 1.0


@frozen
class Cost:
    """Of an attempt, or of several."""

    training: Decimal = _NOTHING
    retained: Decimal = _NOTHING  # for the warm pool that it left
    saved: Decimal = _NOTHING  # by spot instances: what was trained and not billed
    wasted_at_most: Decimal = _NOTHING  # of training: in no checkpoint when it was preempted, or of one that failed
    is_final: bool = True  # else SageMaker has not said yet what it bills: this is the most

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


@frozen
class JobCost:
    attempts: tuple[Cost | None, ...]  # in their order, the live one at the end; None: a type has no known price
    unknown: tuple[str, ...]  # types without a known price
    as_of: date | None  # from when the oldest price is that this takes

    @property
    def total(self) -> Cost:
        """Of the attempts whose cost is known."""
        return sum((one for one in self.attempts if one is not None), Cost())


def cost_of_job(job: Job, live: Attempt | None, prices: PriceList, now: datetime) -> JobCost:
    costs = [cost_of_attempt(past, job, prices) for past in job.history]
    costs += [_cost_so_far(live, prices, now)] if live else []
    demands = [job.demand_of(past) for past in job.history] + ([live.demand] if live else [])
    return JobCost(tuple(costs), prices.unknown(*demands), prices.as_of(*demands))


def cost_of_attempt(past: EndedAttempt, job: Job, prices: PriceList) -> Cost | None:
    """Of one that has ended; None if one of its types has no known price."""
    demand, trained = job.demand_of(past), past.trained_seconds
    billed = trained if past.billable_seconds is None else past.billable_seconds
    training, retained = prices.cost(demand, billed), prices.cost(demand, past.retained_seconds)
    unbilled = trained - billed
    saved = prices.cost(demand, unbilled if unbilled >= _ROUNDED_OFF else 0.0)
    if training is None or retained is None or saved is None:
        return None
    wasted = training * Decimal(wasted_share(past, job))
    return Cost(training, retained, saved, wasted, is_final=past.billable_seconds is not None or not trained)


def wasted_share(past: EndedAttempt, job: Job) -> float:
    """Which part of its training is lost at most: all of a failure, of a preemption what no checkpoint can have."""
    if past.outcome is Outcome.FAILED:
        return 1.0
    if past.outcome is not Outcome.PREEMPTED:
        return 0.0
    interval = job.checkpoint_interval if job.checkpoint_uri else None
    trained = past.trained_seconds
    return 1.0 if interval is None or trained <= interval else interval / trained


def _cost_so_far(live: Attempt, prices: PriceList, now: datetime) -> Cost | None:
    """At most: spot instances may be billed for less, and none is before the training starts."""
    started = live.observation.training_started_at if live.observation else None
    ended = live.observation.ended_at if live.observation else None
    seconds = ((ended or now) - started).total_seconds() if started else 0.0
    training = prices.cost(live.demand, max(0.0, seconds))
    return None if training is None else Cost(training, is_final=False)
