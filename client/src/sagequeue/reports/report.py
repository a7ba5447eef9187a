"""What jobs waited for, used, cost and wasted, from the changes that the history keeps. Nothing here asks anybody."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sagequeue.changes import Change, Run
from sagequeue.contract import Prices

#: What a report can be made by; `tag:KEY` is another one.
DIMENSIONS = ("team", "owner", "type", "day", "job")
#: Where a job has none of it.
NONE = "(none)"
#: An attempt's end is recorded when the scheduler has heard of it; where no event comes, that is a sweep later or more.
RECORDED_WITHIN = timedelta(hours=1)
_CLOCKS_DIFFER = timedelta(minutes=1)
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


@dataclass(frozen=True, slots=True)
class Report:
    lines: Mapping[str, Line]  # by group, in order
    total: Line
    missing: int  # changes that the history does not have
    jobs_with_gaps: tuple[str, ...]


def report(changes: Iterable[Change], by: str, since: datetime, until: datetime, prices: HourlyPrices) -> Report:
    """On the attempts that ended in that time. `changes` are those since then, up to RECORDED_WITHIN after it."""
    return reports(changes, [by], since, until, prices)[by]


def reports(
    changes: Iterable[Change], dimensions: Iterable[str], since: datetime, until: datetime, prices: HourlyPrices
) -> dict[str, Report]:
    """The same attempts by each of these."""
    known = list(changes)
    shares = list(_runs(known, since, until))
    total = Line()
    for share in shares:
        total.add(share, prices)
    missing = gaps(known, since)
    return {
        by: Report(_lines(shares, by, prices), total, sum(missing.values()), tuple(sorted(missing)))
        for by in dimensions
    }


def _lines(shares: Iterable[Share], by: str, prices: HourlyPrices) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    groups = _groups(by)
    for share in shares:
        for group, part in groups(share):
            lines.setdefault(group, Line()).add(part, prices)
    return dict(sorted(lines.items()))


def hourly(prices: Prices) -> HourlyPrices:
    known = ((kind, price["dollars_per_hour"]) for kind, price in prices["prices"].items())
    return {kind: dollars for kind, dollars in known if dollars is not None}


def _runs(changes: Iterable[Change], since: datetime, until: datetime) -> Iterator[Share]:
    """Each once, as the latest change tells of it."""
    latest: dict[tuple[str, int], tuple[Change, Run]] = {}
    for change in sorted(changes, key=lambda change: change["version"]):
        run = change["run"]
        if run and since <= datetime.fromisoformat(run["ended_at"]) < until:
            latest[change["job"], run["number"]] = change, run
    for change, run in latest.values():
        yield Share(change, run, run["instances"])


def _groups(by: str) -> Callable[[Share], Iterable[tuple[str, Share]]]:
    if by == "type":
        return lambda share: (
            (kind, Share(share.change, share.run, {kind: count})) for kind, count in share.run["instances"].items()
        )
    if by.startswith("tag:"):
        key = by.removeprefix("tag:")
        return lambda share: [(share.change["tags"].get(key) or NONE, share)]
    if by == "day":
        return lambda share: [(_local_day(share.run["ended_at"]), share)]
    return lambda share: [(str(share.change[by] or NONE), share)]  # type: ignore[literal-required] # one of DIMENSIONS


def gaps(changes: Iterable[Change], since: datetime) -> dict[str, int]:
    """How many changes of which job are missing: versions have no gap, and begin with 0.

    A job that was submitted just then may have been recorded before, by another clock and in whole seconds.
    """
    seen: dict[str, set[int]] = {}
    begun = {}
    for change in changes:
        seen.setdefault(change["job"], set()).add(change["version"])
        begun[change["job"]] = datetime.fromisoformat(change["submitted_at"])
    missing = {}
    for job, versions in seen.items():
        first = 0 if begun[job] >= since + _CLOCKS_DIFFER else min(versions)
        if lost := max(versions) - first + 1 - len(versions):
            missing[job] = lost
    return missing


def _local_day(time: str) -> str:
    """As the times of the span and of all tables are."""
    return datetime.fromisoformat(time).astimezone().date().isoformat()


def _seconds(begin: str, end: str) -> float:
    """Never less than none: the two may be of different clocks."""
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())
