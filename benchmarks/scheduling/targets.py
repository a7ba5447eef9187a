"""Compares the schedule with its targets, in a table for docs/explain/benchmarks.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.scheduling.replay import Replay
from scheduler.core.jobs.team import Ordering

#: Two values: for the two sizes with targets, or for two lengths of a queue.
Pair = tuple[float, float]
_COLUMNS = (Ordering.SHORTEST, Ordering.FIFO)


@dataclass(frozen=True, slots=True)
class Target:
    title: str
    figure: str  # a field of Figures
    at_most: Mapping[Ordering, Pair]


def _both(first: float, second: float) -> dict[Ordering, Pair]:
    return dict.fromkeys(Ordering, (first, second))


TARGETS = (
    Target("mean delay, hours", "mean_delay_h", {Ordering.SHORTEST: (4.7, 1.3), Ordering.FIFO: (9, 1.9)}),
    Target("high class, p95 of the delay, minutes", "high_p95_delay_min", _both(10, 10)),
    Target("mean slowdown", "mean_slowdown", {Ordering.SHORTEST: (11, 3.9)}),
    Target("instance time lost to preemption, %", "lost_percent", _both(0.6, 0.2)),
    Target("preemptions per 1,000 jobs", "preemptions_per_1000", _both(80, 25)),
    Target("preemptions of one job", "preemptions_of_one_job", _both(10, 10)),
    Target("low class, longest delay, days", "low_longest_delay_d", _both(14, 6.2)),
    Target("jobs of 4 and more instances, mean delay, hours", "wide_mean_delay_h", _both(8, 2.2)),
)
#: Percentage points of utilisation below priority + EASY.
_AT_MOST_BELOW_EASY = 0.5
_REPLAY_SECONDS = 60
_PLAN_MILLISECONDS = (50, 500)


def verdicts(
    replays: Mapping[Ordering, Sequence[Replay]], easy: Sequence[Replay], milliseconds: Mapping[Ordering, Pair]
) -> str:
    """Returns a table with a line for each target, from replays at both sizes and plans of 10,000 and 100,000 jobs."""
    lines = ["| figure | target | `shortest` | `fifo` |", "|---|---|---|---|"]
    for target in TARGETS:
        found = {ordering: _values(replays[ordering], target.figure) for ordering in _COLUMNS}
        lines.append(_line(target.title, target.at_most, found))
    below = {ordering: _below(easy, replays[ordering]) for ordering in _COLUMNS}
    lines.append(_line("utilisation, points below priority + EASY", _both(*[_AT_MOST_BELOW_EASY] * 2), below))
    seconds = {ordering: (first.cpu_seconds, second.cpu_seconds) for ordering, (first, second) in replays.items()}
    lines.append(_line("replay of 60,000 jobs, CPU seconds", _both(*[_REPLAY_SECONDS] * 2), seconds))
    title = "one full plan of 10,000 / 100,000 pending jobs, p99, ms"
    lines.append(_line(title, _both(*_PLAN_MILLISECONDS), milliseconds))
    return "\n".join(lines)


def _line(title: str, at_most: Mapping[Ordering, Pair], found: Mapping[Ordering, Pair]) -> str:
    limits = [f"≤ {_pair(at_most[ordering])}" for ordering in _COLUMNS if ordering in at_most]
    target = limits[0] if len(set(limits)) == 1 else f"{limits[0]}; `fifo` {limits[1]}"
    cells = [_judged(found[ordering], at_most.get(ordering)) for ordering in _COLUMNS]
    return f"| {title} | {target} | {' | '.join(cells)} |"


def _judged(values: Pair, limits: Pair | None) -> str:
    if limits is None:
        return f"{_pair(values)}, no target"
    missed = [_number(value) for value, limit in zip(values, limits, strict=True) if value > limit]
    return _pair(values) + (f", **missed: {' and '.join(missed)}**" if missed else ", met")


def _values(replays: Sequence[Replay], figure: str) -> Pair:
    first, second = (getattr(replay.figures, figure) for replay in replays)
    return first, second


def _below(easy: Sequence[Replay], replays: Sequence[Replay]) -> Pair:
    ours, theirs = _values(replays, "utilisation_percent"), _values(easy, "utilisation_percent")
    return theirs[0] - ours[0], theirs[1] - ours[1]


def _pair(values: Pair) -> str:
    return " / ".join(_number(value) for value in values)


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
