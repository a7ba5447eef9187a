"""Computes the budget of each period: a base budget, as changed by the windows that are open."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from zoneinfo import ZoneInfo

from scheduler.core.calendar.span import Interval, OneTimeSpan, WeeklySpan
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, is_plan_line


class Excess(StrEnum):
    """Decides how jobs that exceed a reduced budget end. In every mode, no job starts until the running jobs fit."""

    FINISH = "finish"  # all of them run to completion
    PREEMPT = "preempt"  # preemptible jobs are stopped as needed; the others run to completion
    STOP = "stop"  # jobs are stopped until the remaining ones fit, never-preempt jobs last


class BelowQuotas(StrEnum):
    """Decides whether windows may leave fewer instances than all teams' quotas."""

    WARN = "warn"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class ExcessRule:
    """Sets the excess mode for all instance types, with exceptions for some of them."""

    usual: Excess = Excess.FINISH
    by_type: Mapping[str, Excess] = field(default_factory=dict)
    lets_plans_finish: bool = False  # whether training plans without an exception use FINISH

    def of(self, instance_type: str) -> Excess:
        may_finish = self.lets_plans_finish and is_plan_line(instance_type)
        return self.by_type.get(instance_type, Excess.FINISH if may_finish else self.usual)

    def modes_of(self, demand: Demand) -> frozenset[Excess]:
        return frozenset(self.of(instance_type) for instance_type in demand)


LET_FINISH = ExcessRule()


@dataclass(frozen=True, slots=True)
class Period:
    """A budget that applies until the next period begins."""

    begins: datetime
    budget: Budget
    excess: ExcessRule = LET_FINISH
    windows: tuple[str, ...] = ()  # names of the open or draining windows; empty: the base budget


#: In a window's budget, stands for every type in the base budget that the window does not name.
EVERY_TYPE = "*"
#: SageMaker begins to take a training plan's instances away 30 minutes before the plan ends (aws-facts 2.58). The other
#: ten minutes leave time for a cycle, which may begin up to five minutes later, and for the jobs' last checkpoints.
PLAN_END_MARGIN = timedelta(minutes=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    name: str
    budget: Mapping[str, int]
    weekly: tuple[WeeklySpan, ...] = ()
    once: OneTimeSpan | None = None
    drain_minutes: int = 0  # how early, before opening, its budget applies to the types that it reduces
    excess: Excess | None = None  # None: the calendar's mode
    reserved: bool = False  # whether a training plan reserves its budget, in lines that exist only in such windows

    def instance_counts(self, base: Budget) -> dict[str, int]:
        named = dict(self.budget)
        everything = named.pop(EVERY_TYPE, None)
        return named if everything is None else dict.fromkeys(base.types, everything) | named

    def shares_a_type_with(self, other: "Window") -> bool:
        names_all = EVERY_TYPE in {*self.budget, *other.budget} and self.reserved is other.reserved
        return names_all or not self.budget.keys().isdisjoint(other.budget)

    def has_ended(self, zone: ZoneInfo, now: datetime) -> bool:
        return self.once is not None and self.once.interval(zone)[1] - self.ends_early <= now

    def open_intervals(self, zone: ZoneInfo, since: datetime, until: datetime) -> Iterator[Interval]:
        """Yields the window's open intervals that overlap this range, or whose drain time overlaps it."""
        until += self.drain
        intervals = [self.once.interval(zone)] if self.once else []
        intervals += [interval for span in self.weekly for interval in span.intervals(zone, since, until)]
        for begins, ends in intervals:
            if begins < until and ends - self.ends_early > since:
                yield begins, ends - self.ends_early

    @property
    def drain(self) -> timedelta:
        return timedelta(minutes=self.drain_minutes)

    @property
    def ends_early(self) -> timedelta:
        return PLAN_END_MARGIN if self.reserved else timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    time_zone: ZoneInfo
    windows: tuple[Window, ...] = ()
    excess: Excess = Excess.PREEMPT
    below_quotas: BelowQuotas = BelowQuotas.WARN

    def largest_budget(self, base: Budget, now: datetime) -> Budget:
        """Returns the largest count of each type from now on, as a budget."""
        largest = base
        for window in self.windows:
            if not window.has_ended(self.time_zone, now):
                largest = largest.maximum_with(Budget.of(base.as_dict() | window.instance_counts(base)))
        return largest

    def training_plans_only(self, excess: Excess) -> "Calendar":
        """Returns a copy with only the windows for training plans, and with this excess mode."""
        return replace(self, windows=tuple(window for window in self.windows if window.reserved), excess=excess)


def periods(calendar: Calendar, base: Budget, now: datetime, until: datetime) -> Iterator[Period]:
    """Yields the current period and each later one that begins before `until`, in chronological order."""
    until = max(until, now + timedelta(microseconds=1))
    upcoming = deque(sorted(_window_intervals(calendar, base, now, until), key=attrgetter("begins")))
    edges = {edge for interval in upcoming for edge in (interval.begins, interval.ends) if now < edge < until}
    current: list[_WindowInterval] = []
    last = None
    for time in (now.astimezone(UTC), *sorted(edges)):
        while upcoming and upcoming[0].begins <= time:
            current.append(upcoming.popleft())
        current = sorted((interval for interval in current if interval.ends > time), key=attrgetter("precedence"))
        period = _period(calendar, base, time, current)
        if last is None or (period.budget, period.excess) != (last.budget, last.excess):
            yield period
        last = period


@dataclass(frozen=True, slots=True)
class _WindowInterval:
    begins: datetime
    ends: datetime
    window: Window
    counts: Mapping[str, int]
    drains: bool
    precedence: tuple[bool, bool, int]  # the highest wins: draining over open, then one-time over weekly


def _window_intervals(calendar: Calendar, base: Budget, now: datetime, until: datetime) -> Iterator[_WindowInterval]:
    for index, window in enumerate(calendar.windows):
        counts, is_once = window.instance_counts(base), window.once is not None
        for begins, ends in window.open_intervals(calendar.time_zone, now, until):
            yield _WindowInterval(begins, ends, window, counts, drains=False, precedence=(False, is_once, index))
            # A weekly window need not drain types that a one-time window overrides when the weekly one opens.
            overridden = set() if is_once else _set_by_one_time_windows(calendar, base, begins)
            draining = {line: count for line, count in counts.items() if line not in overridden}
            if window.drain and draining:
                drains_from, precedence = begins - window.drain, (True, is_once, index)
                yield _WindowInterval(drains_from, begins, window, draining, drains=True, precedence=precedence)


def _set_by_one_time_windows(calendar: Calendar, base: Budget, time: datetime) -> set[str]:
    """Returns the types whose counts are set by one-time windows that are open at this time."""
    lines: set[str] = set()
    for window in calendar.windows:
        if window.once:
            begins, ends = window.once.interval(calendar.time_zone)
            lines |= window.instance_counts(base).keys() if begins <= time < ends else set()
    return lines


def _period(calendar: Calendar, base: Budget, begins: datetime, current: Sequence[_WindowInterval]) -> Period:
    counts = base.as_dict()
    # SageMaker stops jobs that are still running when a training plan ends.
    excess = {line: Excess.STOP for window in calendar.windows if window.reserved for line in window.budget}
    for interval in current:
        for instance_type, count in interval.counts.items():
            counts[instance_type] = min(count, counts.get(instance_type, 0)) if interval.drains else count
            if not interval.window.reserved:
                excess[instance_type] = interval.window.excess or calendar.excess
    exceptions = {instance_type: mode for instance_type, mode in excess.items() if mode is not calendar.excess}
    window_names = tuple(interval.window.name for interval in current)
    return Period(begins, Budget.of(counts), ExcessRule(calendar.excess, exceptions), window_names)
