"""Remembers shortages, interruptions and refused warm pools across all jobs (aws-facts 2.7, 2.28)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.demand import Demand

#: An attempt that has waited this long for its instances is evidence of a shortage.
LONG_WAIT = timedelta(minutes=10)
_NOT_ASKED_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Shortage:
    """A location that had no instances. No attempt goes there before `until`, and afterwards only one at a time."""

    location: Location
    failures: int  # consecutive probes that got no instances
    failed_at: datetime  # when the shortage was last seen
    until: datetime


@dataclass(frozen=True, slots=True)
class Interruptions:
    """Counts how often attempts lost their spot instances at a location."""

    location: Location
    count: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class RefusedPool:
    """An instance type without the expected warm pool: the account's pool quota for the type is 0 or used up."""

    instance_type: str
    since: datetime  # no pool of the type has appeared since then
    at_create: bool = False  # SageMaker refused the keep-alive period in the request itself


@dataclass(frozen=True, slots=True)
class CapacityMemory:
    shortages: tuple[Shortage, ...] = ()
    interruptions: tuple[Interruptions, ...] = ()
    refused_pools: tuple[RefusedPool, ...] = ()

    def refuses_keep_alive(self, demand: Demand, now: datetime) -> bool:
        """Returns whether Create refused a keep-alive period for a type in the last day. Later, it is tried again."""
        return any(
            refused.at_create and refused.instance_type in demand and now - refused.since < _NOT_ASKED_FOR
            for refused in self.refused_pools
        )

    def shortage_of(self, location: Location) -> Shortage | None:
        return next((shortage for shortage in self.shortages if shortage.location == location), None)
