"""Which budget holds when: the stack's own, but for the windows that are open.

A window that is open once comes before one that is open each week, and both come before the stack's own budget; windows
of one kind never overlap. Each gives the types that it names, `*` all others of the stack's budget.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from scheduler.core.calendar.period import Excess, ExcessRule, Period
from scheduler.core.calendar.span import Interval, Once, WeeklySpan
from scheduler.core.jobs.budget import Budget

#: Every type of the stack's budget that the window does not name.
EVERY_TYPE = "*"
#: SageMaker begins to take a plan's instances away 30 minutes before it ends (aws-facts 2.58). Before that a cycle has
#: to come, up to five minutes later, and the jobs to save their last checkpoint.
PLAN_END_MARGIN = timedelta(minutes=40)


@frozen(kw_only=True)
class Window:
    name: str
    budget: Mapping[str, int]
    weekly: tuple[WeeklySpan, ...] = ()
    once: Once | None = None
    drain_minutes: int = 0  # so long before it opens its budget holds already, where that is smaller
    excess: Excess | None = None  # None: the calendar's
    reserved: bool = False  # its budget is what a training plan reserves, in lines that exist in such windows only

    def counts(self, base: Budget) -> dict[str, int]:
        everything = dict.fromkeys(base.types, self.budget[EVERY_TYPE]) if EVERY_TYPE in self.budget else {}
        return everything | {kind: count for kind, count in self.budget.items() if kind != EVERY_TYPE}

    def shares_a_type_with(self, other: "Window") -> bool:
        names_all = EVERY_TYPE in {*self.budget, *other.budget} and self.reserved is other.reserved
        return names_all or not self.budget.keys().isdisjoint(other.budget)

    def is_over(self, zone: ZoneInfo, now: datetime) -> bool:
        return self.once is not None and self.once.interval(zone)[1] - self.ends_early <= now

    def intervals(self, zone: ZoneInfo, since: datetime, until: datetime) -> Iterator[Interval]:
        """Those in which it is open, as far as they touch this time, draining included."""
        until += self.drain
        spans = [self.once.interval(zone)] if self.once else []
        for begins, ends in (*spans, *(one for span in self.weekly for one in span.intervals(zone, since, until))):
            if begins < until and ends - self.ends_early > since:
                yield begins, ends - self.ends_early

    @property
    def drain(self) -> timedelta:
        return timedelta(minutes=self.drain_minutes)

    @property
    def ends_early(self) -> timedelta:
        return PLAN_END_MARGIN if self.reserved else timedelta()


@frozen(kw_only=True)
class Calendar:
    time_zone: ZoneInfo
    windows: tuple[Window, ...] = ()
    excess: Excess = Excess.PREEMPT

    def most(self, base: Budget, now: datetime) -> Budget:
        """For each type the most that holds at any time to come."""
        most = base
        for window in self.windows:
            if not window.is_over(self.time_zone, now):
                most = most.maximum_with(Budget.of(base.as_dict() | window.counts(base)))
        return most

    def training_plans_only(self, excess: Excess) -> "Calendar":
        """What it says of training plans alone."""
        return evolve(self, windows=tuple(window for window in self.windows if window.reserved), excess=excess)


def budget_at(calendar: Calendar, base: Budget, time: datetime) -> Period:
    """What holds at a time. Pure: the same arguments give the same period."""
    return next(periods(calendar, base, time, time))


def periods(calendar: Calendar, base: Budget, now: datetime, until: datetime) -> Iterator[Period]:
    """What holds now, and each change until then, in the order of time."""
    until = max(until, now + timedelta(microseconds=1))
    to_come = deque(sorted(_stretches(calendar, base, now, until), key=attrgetter("begins")))
    edges = {edge for stretch in to_come for edge in (stretch.begins, stretch.ends) if now < edge < until}
    in_force: list[_Stretch] = []
    last = None
    for moment in (now.astimezone(UTC), *sorted(edges)):
        while to_come and to_come[0].begins <= moment:
            in_force.append(to_come.popleft())
        in_force = sorted((one for one in in_force if one.ends > moment), key=attrgetter("turn"))
        period = _period(calendar, base, moment, in_force)
        if last is None or (period.budget, period.excess) != (last.budget, last.excess):
            yield period
        last = period


@frozen
class _Stretch:
    """A time in which a window is open, or drains."""

    begins: datetime
    ends: datetime
    window: Window
    counts: Mapping[str, int]
    drains: bool
    turn: tuple[bool, bool, int]  # the last one has the last word: what drains, then what is open once


def _stretches(calendar: Calendar, base: Budget, now: datetime, until: datetime) -> Iterator[_Stretch]:
    for place, window in enumerate(calendar.windows):
        counts, is_once = window.counts(base), window.once is not None
        for begins, ends in window.intervals(calendar.time_zone, now, until):
            yield _Stretch(begins, ends, window, counts, drains=False, turn=(False, is_once, place))
            if window.drain and (left := counts if is_once else _not_once(calendar, base, begins, counts)):
                yield _Stretch(begins - window.drain, begins, window, left, drains=True, turn=(True, is_once, place))


def _not_once(calendar: Calendar, base: Budget, moment: datetime, counts: Mapping[str, int]) -> Mapping[str, int]:
    """Without the types that a window has which is open once at that moment: there is nothing to drain for."""
    once = [(one.once.interval(calendar.time_zone), one.counts(base)) for one in calendar.windows if one.once]
    covered = {kind for (begins, ends), theirs in once if begins <= moment < ends for kind in theirs}
    return {kind: count for kind, count in counts.items() if kind not in covered}


def _period(calendar: Calendar, base: Budget, begins: datetime, in_force: Sequence[_Stretch]) -> Period:
    counts = base.as_dict()
    # Who stays when a plan ends is stopped by SageMaker anyhow.
    excess = {line: Excess.STOP for window in calendar.windows if window.reserved for line in window.budget}
    for stretch in in_force:
        for kind, count in stretch.counts.items():
            counts[kind] = min(count, counts.get(kind, 0)) if stretch.drains else count
            if not stretch.window.reserved:
                excess[kind] = stretch.window.excess or calendar.excess
    rule = ExcessRule(calendar.excess, {kind: one for kind, one in excess.items() if one is not calendar.excess})
    return Period(begins, Budget.of(counts), rule, tuple(stretch.window.name for stretch in in_force))
