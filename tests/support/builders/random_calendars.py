"""Draws calendars for property tests: upcoming periods, and sections with windows."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from scheduler.core.calendar.calendar import Calendar, Excess, ExcessRule, Period, Window
from scheduler.core.calendar.span import OneTimeSpan, WeeklySpan
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import NOON
from support.builders.random_snapshots import NOW, TYPES, live_jobs, policies, queued_jobs

_WEEK = 7 * 24 * 60
_ways = st.sampled_from(Excess)


@st.composite
def snapshots_before_a_change(draw: st.DrawFn) -> Snapshot:
    """Draws snapshots with free capacity now, and less or more free capacity after the next period begins."""
    live = [draw(live_jobs(f"live{n}")) for n in range(draw(st.integers(0, 3)))]
    queued = [draw(queued_jobs(f"job{n}")) for n in range(draw(st.integers(1, 5)))]
    return Snapshot(
        Budget.of(dict.fromkeys(TYPES, 9)),
        tuple(live),
        tuple(queued),
        policy=draw(policies),
        periods=draw(_changes),
        held_by_unmanaged_jobs=draw(st.sampled_from([Demand(), Demand.of({TYPES[0]: 1})])),
    )


def coming_periods(types: Sequence[str], now: datetime) -> st.SearchStrategy[tuple[Period, ...]]:
    """Draws periods in chronological order: some begin soon, and others when only long jobs still run."""
    moments = st.lists(st.sampled_from([5, 9, 11, 60, 600, 2000]), max_size=3, unique=True).map(sorted)
    counts = st.fixed_dictionaries({kind: st.integers(0, 8) for kind in types})
    rules = st.builds(ExcessRule, _ways, st.dictionaries(st.sampled_from(types), _ways))

    def at(minutes: list[int]) -> st.SearchStrategy[tuple[Period, ...]]:
        return st.tuples(
            *(
                st.builds(Period, st.just(now + timedelta(minutes=n)), counts.map(budget), rules, st.just(("window",)))
                for n in minutes
            )
        )

    def budget(limits: dict[str, int]) -> Budget:
        return Budget(Demand.of(limits), tuple(types))

    return moments.flatmap(at)


_changes = coming_periods(TYPES, NOW).filter(bool)


def calendars(types: Sequence[str]) -> st.SearchStrategy[Calendar]:
    """Draws sections with weekly and one-time windows. Windows of one kind never share an instance type."""
    windows = st.tuples(*(_windows(kind) for kind in types)).map(
        lambda pairs: tuple(window for pair in pairs for window in pair)
    )
    return st.builds(
        Calendar,
        time_zone=st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]).map(ZoneInfo),
        windows=windows,
        excess=_ways,
    )


@st.composite
def _windows(draw: st.DrawFn, kind: str) -> list[Window]:
    return [draw(windows) for windows in _weekly_and_once(kind) if draw(st.booleans())]


@cache
def _weekly_and_once(kind: str) -> tuple[st.SearchStrategy[Window], st.SearchStrategy[Window]]:
    budgets = st.integers(0, 9).map(lambda count: {kind: count})
    drains, ways = st.sampled_from([0, 600, 1440]), st.one_of(st.none(), _ways)
    edges = st.lists(st.integers(0, _WEEK - 1), min_size=2, max_size=2, unique=True)
    weekly = edges.map(lambda two: (WeeklySpan(*two),))
    once = st.builds(
        lambda begins, minutes: OneTimeSpan(begins, begins + timedelta(minutes=minutes)),
        st.integers(-3000, 30_000).map(lambda minutes: NOON + timedelta(minutes=minutes)),
        st.integers(1, 5000),
    )
    return (
        st.builds(Window, name=st.just("weekly"), budget=budgets, weekly=weekly, drain_minutes=drains, excess=ways),
        st.builds(Window, name=st.just("once"), budget=budgets, once=once, drain_minutes=drains, excess=ways),
    )
