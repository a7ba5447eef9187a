"""Computes the figures of one group of attempts: waiting, use, cost and waste.

A pure computation, which makes no calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sagequeue.contract.costs import Prices
from sagequeue.contract.history import Change, Run

#: On-demand dollars per instance-hour, by type; a missing type has no known price.
HourlyPrices = Mapping[str, float]

_HOUR = 3600

#: Fewer unbilled seconds than this are rounding, not spot savings: SageMaker bills whole seconds.
_ROUNDED_OFF = 1.0


@dataclass(frozen=True, slots=True)
class Share:
    """A run, or the part of it that counts for one group."""

    change: Change
    run: Run
    instances: Mapping[str, int]

    @property
    def waited(self) -> float:
        return _seconds(self.run["waited_since"], self.run["reserved_at"])

    @property
    def trained(self) -> float:
        """Training seconds per instance; 0 for a run that never trained."""
        started = self.run["training_started_at"]
        return _seconds(started, self.run["ended_at"]) if started else 0.0

    @property
    def useful(self) -> float | None:
        """Training seconds per instance that no spot interruption cost; None if unknown."""
        interrupted = self.run["interrupted_seconds"]
        return None if interrupted is None else max(0.0, self.trained - interrupted)

    @property
    def starting(self) -> float:
        """Seconds for which each instance was held before training."""
        return _seconds(self.run["reserved_at"], self.run["training_started_at"] or self.run["ended_at"])

    @property
    def count(self) -> int:
        return sum(self.instances.values())

    @property
    def billed(self) -> float:
        """Billed seconds per instance; the whole training time if SageMaker has not reported them."""
        billable = self.run["billable_seconds"]
        return self.trained if billable is None else billable

    @property
    def wasted_at_most(self) -> float:
        """The largest share of the billed time that a preemption or a failure may have lost."""
        if self.run["outcome"] == "failed":
            return 1.0
        is_lost = self.run["outcome"] == "preempted" and self.trained
        return self.lost_at_most / self.trained if is_lost else 0.0

    @property
    def lost_at_most(self) -> float:
        """Training seconds of a preempted run that may be missing from its checkpoints."""
        return self.run["lost_seconds_at_most"]


@dataclass
class Line:
    """The sums of one group. Seconds are instance-seconds, except for waiting times."""

    jobs: set[str] = field(default_factory=set)
    runs: int = 0
    waited: float = 0.0
    longest_wait: float = 0.0
    trained: float = 0.0
    billable: float = 0.0
    unbilled_runs: int = 0  # SageMaker has not reported their billed seconds
    starting: float = 0.0
    interruptions: int = 0  # of runs on spot instances
    useful: float = 0.0  # training time that these interruptions did not cost …
    judged: float = 0.0  # … of this training time. Of all other runs, the useful time is unknown
    unjudged_runs: int = 0
    retained: float = 0.0  # in warm pools, as billed
    completed: float = 0.0  # training time of completed runs
    idle: float = 0.0  # training time of runs stopped because they hung, or their GPUs were idle
    stopped: float = 0.0  # training time of other stopped runs
    preemptions: int = 0
    preempted: float = 0.0  # training time of preempted runs
    lost_at_most: float = 0.0  # the part of `preempted` that may be missing from checkpoints
    measured_losses: int = 0  # preemptions of programs that reported their saves
    failures: int = 0
    failed: float = 0.0
    cost: float = 0.0  # dollars, warm pools included
    saved: float = 0.0  # dollars, by spot instances
    wasted_at_most: float = 0.0  # dollars
    unpriced_runs: int = 0  # with an instance type that has no known price
    training_cost: float = 0.0  # dollars, without warm pools
    useful_cost: float = 0.0  # the part of it …
    priced: float = 0.0  # … for this useful time

    @property
    def interruptions_per_100_hours(self) -> float | None:
        """Interruptions in 100 instance-hours of training; None without training."""
        return 100 * _HOUR * self.interruptions / self.trained if self.trained else None

    @property
    def useful_share(self) -> float | None:
        """The share of training time that interruptions did not cost; None if it is unknown."""
        return self.useful / self.judged if self.judged else None

    @property
    def dollars_per_useful_hour(self) -> float | None:
        """The realised price of an instance for an hour of useful training; None if it is unknown."""
        return _HOUR * self.useful_cost / self.priced if self.priced > 0 else None

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
        self.interruptions += run["interruptions"]
        self.useful += share.count * (share.useful or 0.0)
        self.judged += seconds if share.useful is not None else 0.0
        self.unjudged_runs += share.useful is None
        self.retained += share.count * run["retained_seconds"]
        self._add_use(share, seconds)
        self._add_cost(share, prices)

    def _add_use(self, share: Share, seconds: float) -> None:
        """Adds the training time to one of the sums by outcome."""
        match share.run["outcome"]:
            case "completed":
                self.completed += seconds
            case "preempted":
                self.preemptions += 1
                self.preempted += seconds
                self.lost_at_most += share.count * share.lost_at_most
                self.measured_losses += share.run["lost_is_measured"]
            case "failed":
                self.failures += 1
                self.failed += seconds
            case "idle" | "underused" | "nan_loss" | "hung":
                self.idle += seconds
            case _:
                self.stopped += seconds

    def _add_cost(self, share: Share, prices: HourlyPrices) -> None:
        if share.instances.keys() - prices.keys():
            self.unpriced_runs += share.billed > 0
            return
        dollars = sum(prices[kind] * count for kind, count in share.instances.items()) / _HOUR  # per second
        self.cost += dollars * (share.billed + share.run["retained_seconds"])
        self.training_cost += dollars * share.billed
        if share.useful is not None:
            self.useful_cost += dollars * share.billed
            self.priced += share.count * share.useful
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
            "interruptions": self.interruptions,
            "interrupted_instance_seconds": self.judged - self.useful,
            "unjudged_runs": self.unjudged_runs,
            "retained_instance_seconds": self.retained,
            "completed_instance_seconds": self.completed,
            "idle_instance_seconds": self.idle,
            "stopped_instance_seconds": self.stopped,
            "preemptions": self.preemptions,
            "preempted_instance_seconds": self.preempted,
            "lost_at_most_instance_seconds": self.lost_at_most,
            "measured_losses": self.measured_losses,
            "failures": self.failures,
            "failed_instance_seconds": self.failed,
            "cost_dollars": self.cost,
            "training_dollars": self.training_cost,
            "saved_dollars": self.saved,
            "wasted_at_most_dollars": self.wasted_at_most,
            "unpriced_runs": self.unpriced_runs,
        }


def hourly(prices: Prices) -> HourlyPrices:
    known = ((kind, price["dollars_per_hour"]) for kind, price in prices["prices"].items())
    return {kind: dollars for kind, dollars in known if dollars is not None}


def _seconds(begin: str, end: str) -> float:
    """Returns the seconds between two times, at least 0: they may come from different clocks."""
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())
