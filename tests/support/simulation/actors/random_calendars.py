"""Draws calendars for random worlds. Their windows open and close within the hour."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from support.simulation.judges.budgets import Window
from support.simulation.judges.held_instances import line
from support.simulation.submissions.training_requests import PLAN, TYPES

WAYS = ("finish", "preempt", "preempt", "stop", "stop")
#: The queue leaves a training plan this long before it ends.
_LAST_OF_A_PLAN = timedelta(minutes=40)
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def random_windows(random: Random, now: float) -> list[Window]:
    """Draws windows one after the other, on full minutes."""
    way = random.choice(
        WAYS
    )  # the same for all windows: a single one that lets jobs finish would keep jobs from starting before it
    windows, begins = [], now - now % 60 + random.choice([0, 60, 120, 300])
    for _ in range(random.choice([1, 2, 4])):
        drain = random.choice([0, 0, 60])
        begins += drain
        ends = begins + 60 * random.choice([2, 5, 10])
        kinds = random.choice([TYPES, TYPES[:1], TYPES[1:]])
        budget = {kind: random.choice([0, 0, 1, 2, 3]) for kind in kinds}
        windows.append(Window(begins, ends, budget, way, drain, weekly=random.random() < 0.2))
        begins = ends + 60 * random.choice([0, 2, 5])
    return [*windows, *_windows_of_a_plan(random, now)]


def _windows_of_a_plan(random: Random, now: float) -> Iterator[Window]:
    """Draws a window with a training plan, in four of five worlds."""
    if random.random() < 0.8:
        begins = now - now % 60 + random.choice([0, 0, 120])
        budget = {line(TYPES[1], PLAN): random.choice([1, 2, 3])}
        yield Window(begins, begins + 60 * random.choice([3, 10, 20]), budget, "stop", plan=PLAN)


def written(windows: Sequence[Window], usual: str) -> dict[str, Any]:
    """Returns the section as operators write it."""
    return {
        "time_zone": "UTC",
        "excess": usual,
        "windows": [_written(f"window{number}", window) for number, window in enumerate(windows)],
    }


def _written(name: str, window: Window) -> dict[str, Any]:
    begins, ends = (datetime.fromtimestamp(at, UTC) for at in (window.begins, window.ends))
    when: dict[str, Any] = {"begins": begins.isoformat(), "ends": ends.isoformat()}
    if window.plan:
        budget = {kind.partition("@")[0]: count for kind, count in window.budget.items()}
        plans_end = {"ends": (ends + _LAST_OF_A_PLAN).isoformat()}
        return {"name": name, "training_plan": window.plan, "budget": budget, **when, **plans_end}
    if window.weekly:
        when = {"weekly": [f"{_DAYS[begins.weekday()]} {begins:%H:%M} - {_DAYS[ends.weekday()]} {ends:%H:%M}"]}
    return {
        "name": name,
        "budget": window.budget,
        "drain": f"{int(window.drain) // 60}m",
        "excess": window.excess,
        **when,
    }
