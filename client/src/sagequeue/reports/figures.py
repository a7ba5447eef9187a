"""The figures of a report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sagequeue.contract.costs import Prices
from sagequeue.contract.history import Change, Run

#: Dollars for an instance on demand, by type; a type that is not there has no known price.
HourlyPrices = Mapping[str, float]

_HOUR = 3600

#: Seconds that spot instances did not save: SageMaker bills whole ones.
_ROUNDED_OFF = 1.0


@dataclass(frozen=True, slots=True)
class Share:
    """A run, or what a group has of it."""

    change: Change
    run: Run
    instances: Mapping[str, int]

    @property
    def waited(self) -> float:
        return _seconds(self.run["waited_since"], self.run["reserved_at"])

    @property
    def trained(self) -> float:
        """Seconds of one instance, 0 for a run that never came to train."""
        started = self.run["training_started_at"]
        return _seconds(started, self.run["ended_at"]) if started else 0.0

    @property
    def starting(self) -> float:
        """Seconds of one instance that was held and did not train yet."""
        return _seconds(self.run["reserved_at"], self.run["training_started_at"] or self.run["ended_at"])

    @property
    def count(self) -> int:
        return sum(self.instances.values())

    @property
    def billed(self) -> float:
        """Seconds of one instance; all that it trained where SageMaker has not said."""
        billable = self.run["billable_seconds"]
        return self.trained if billable is None else billable

    @property
    def wasted_at_most(self) -> float:
        """Which part of what is billed was lost to a preemption or a failure."""
        if self.run["outcome"] == "failed":
            return 1.0
        is_lost = self.run["outcome"] == "preempted" and self.trained
        return self.lost_at_most / self.trained if is_lost else 0.0

    @property
    def lost_at_most(self) -> float:
        """What no checkpoint can have kept, and what one may not have: of a run that was preempted."""
        interval = self.change["checkpoint_interval"] if self.change["has_checkpoints"] else None
        return self.trained if interval is None else min(self.trained, interval)


@dataclass
class Line:
    """The sums of a group; all seconds but those of waiting are instance-seconds."""

    jobs: set[str] = field(default_factory=set)
    runs: int = 0
    waited: float = 0.0
    longest_wait: float = 0.0
    trained: float = 0.0
    billable: float = 0.0
    unbilled_runs: int = 0  # SageMaker has not said what it bills
    starting: float = 0.0
    retained: float = 0.0  # in warm pools, as billed
    completed: float = 0.0  # what runs which completed had trained …
    idle: float = 0.0  # … those that were stopped because nobody used their GPUs …
    stopped: float = 0.0  # … and those that were stopped otherwise
    preemptions: int = 0
    preempted: float = 0.0  # all that runs which were preempted had trained …
    lost_at_most: float = 0.0  # … and what of that cannot be in a checkpoint
    failures: int = 0
    failed: float = 0.0
    cost: float = 0.0  # dollars, warm pools included
    saved: float = 0.0  # dollars, by spot instances
    wasted_at_most: float = 0.0  # dollars
    unpriced_runs: int = 0  # a type of theirs has no known price

    def add(self, share: Share, prices: HourlyPrices) -> None:
        run, seconds = share.run, share.count * share.trained
        self.jobs.add(share.change["job"])
        self.runs += 1
        self.waited += share.waited
        self.longest_wait = max(self.longest_wait, share.waited)
        self.trained += seconds
        self.billable += share.count * (run["billable_seconds"] or 0)
        self.unbilled_runs += run["billable_seconds"] is None and seconds > 0
        self.starting += share.count * share.starting
        self.retained += share.count * run["retained_seconds"]
        self._add_use(share, seconds)
        self._add_cost(share, prices)

    def _add_use(self, share: Share, seconds: float) -> None:
        """What is trained goes into one of these."""
        match share.run["outcome"]:
            case "completed":
                self.completed += seconds
            case "preempted":
                self.preemptions += 1
                self.preempted += seconds
                self.lost_at_most += share.count * share.lost_at_most
            case "failed":
                self.failures += 1
                self.failed += seconds
            case "idle":
                self.idle += seconds
            case _:
                self.stopped += seconds

    def _add_cost(self, share: Share, prices: HourlyPrices) -> None:
        if share.instances.keys() - prices.keys():
            self.unpriced_runs += share.billed > 0
            return
        dollars = sum(prices[kind] * count for kind, count in share.instances.items()) / _HOUR  # a second
        self.cost += dollars * (share.billed + share.run["retained_seconds"])
        unbilled = share.trained - share.billed
        self.saved += dollars * (unbilled if unbilled >= _ROUNDED_OFF else 0.0)
        self.wasted_at_most += dollars * share.billed * share.wasted_at_most

    def as_dict(self) -> dict[str, float]:
        return {
            "jobs": len(self.jobs),
            "runs": self.runs,
            "waited_seconds": self.waited,
            "longest_wait_seconds": self.longest_wait,
            "instance_seconds": self.trained,
            "billable_instance_seconds": self.billable,
            "unbilled_runs": self.unbilled_runs,
            "starting_instance_seconds": self.starting,
            "retained_instance_seconds": self.retained,
            "completed_instance_seconds": self.completed,
            "idle_instance_seconds": self.idle,
            "stopped_instance_seconds": self.stopped,
            "preemptions": self.preemptions,
            "preempted_instance_seconds": self.preempted,
            "lost_at_most_instance_seconds": self.lost_at_most,
            "failures": self.failures,
            "failed_instance_seconds": self.failed,
            "cost_dollars": self.cost,
            "saved_dollars": self.saved,
            "wasted_at_most_dollars": self.wasted_at_most,
            "unpriced_runs": self.unpriced_runs,
        }


def hourly(prices: Prices) -> HourlyPrices:
    known = ((kind, price["dollars_per_hour"]) for kind, price in prices["prices"].items())
    return {kind: dollars for kind, dollars in known if dollars is not None}


def _seconds(begin: str, end: str) -> float:
    """Never less than none: the two may be of different clocks."""
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())
