"""What the queue remembers of SageMaker's capacity: where there was none lately, where spot instances were taken, and
of which types no warm pools appear.

SageMaker tells of it in failures and long waits only, so each of them is a lesson for all jobs (aws-facts 2.7, 2.28).
"""

from datetime import datetime, timedelta

from attrs import frozen

#: An attempt that waits so long for its instances shows that there are none.
LONG_WAIT = timedelta(minutes=10)


@frozen
class Place:
    """Where instances come from; without a subnet wherever SageMaker likes."""

    instance_type: str
    spot: bool = False
    subnet: str = ""

    def __str__(self) -> str:
        return self.instance_type + " spot" * self.spot + (f" in {self.subnet}" if self.subnet else "")


@frozen
class Shortage:
    place: Place
    failures: int  # probes that found none, one after the other
    failed_at: datetime  # when this was last seen
    until: datetime  # nobody tries before; then one at a time


@frozen
class Interruptions:
    """How often spot instances were taken away from attempts there."""

    place: Place
    count: int
    last_at: datetime


@frozen
class RefusedPool:
    """An attempt was to leave a warm pool and left none: the quota for those of the type is 0 or used up."""

    instance_type: str
    since: datetime  # and no pool of the type has appeared after it


@frozen
class CapacityMemory:
    shortages: tuple[Shortage, ...] = ()
    interruptions: tuple[Interruptions, ...] = ()
    refused_pools: tuple[RefusedPool, ...] = ()

    def shortage_of(self, place: Place) -> Shortage | None:
        return next((known for known in self.shortages if known.place == place), None)
