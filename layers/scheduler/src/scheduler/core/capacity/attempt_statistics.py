"""Sums up what useful training cost at each location, over finished attempts. Old attempts count less."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf

from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.attempt import EndedAttempt
from scheduler.core.jobs.demand import Demand, type_of
from scheduler.core.jobs.job import Job

#: After this time, an attempt counts half: the prices and interruptions of spot instances change within weeks.
_HALF_LIFE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class AttemptStatistics:
    """The attempts at one location, as of a given time."""

    attempts: float
    useful: float  # instance-seconds of training that no spot interruption cost
    billed: float  # instance-seconds
    as_of: datetime

    @property
    def billed_share(self) -> float:
        """Returns the billed seconds for each second of useful training; infinite if no training was useful."""
        return self.billed / self.useful if self.useful > 0 else inf

    def decayed_to(self, now: datetime) -> "AttemptStatistics":
        weight = 0.5 ** (max(timedelta(), now - self.as_of) / _HALF_LIFE)
        latest = max(now, self.as_of)
        return AttemptStatistics(self.attempts * weight, self.useful * weight, self.billed * weight, latest)

    def plus(self, other: "AttemptStatistics") -> "AttemptStatistics":
        now = max(self.as_of, other.as_of)  # attempts may be settled in another order than they ended in
        one, two = self.decayed_to(now), other.decayed_to(now)
        return AttemptStatistics(one.attempts + two.attempts, one.useful + two.useful, one.billed + two.billed, now)


def statistics_of(job: Job, ended: EndedAttempt) -> tuple[Location, AttemptStatistics] | None:
    """Returns what a finished attempt adds, and where; None if it never trained, or its cost is unknown.

    It does not matter how the attempt ended: a failure or a preemption says nothing about the location. If the cost of
    an interruption is unknown, an attempt without interruptions adds nothing, either: otherwise, spot would look cheap.
    """
    demand = job.demand_of(ended)
    location = location_of(demand, spot=ended.spot)
    useful, billed = ended.useful_seconds, ended.billable_seconds
    if location is None or not ended.trained_seconds or useful is None or billed is None:
        return None
    count = demand[location.instance_type]
    return location, AttemptStatistics(1.0, count * useful, count * float(billed), ended.ended_at)


def location_of(demand: Demand, *, spot: bool) -> Location | None:
    """Returns the location of these instances; None if they have several types, or are paid in advance.

    Subnets do not matter, because the price is the same in each.
    """
    line, *others = demand
    return Location(line, spot) if not others and type_of(line) == line else None
