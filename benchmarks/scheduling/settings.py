"""Replays the six cases with one setting of the policy changed at a time, each in three orders of equal events.

python -m benchmarks.scheduling.settings   writes the settings that were tried, in docs/explain/benchmarks.md
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from benchmarks.scheduling.cases import CASES, three_digits
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import SAGEQUEUE, Setup, replay_all
from benchmarks.scheduling.report import PAGE, write
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy

VARIANTS: Mapping[str, Policy] = {
    "defaults": Policy(ordering=Ordering.SHORTEST),
    "`protected_run_time: 2h`": Policy(ordering=Ordering.SHORTEST, protected_run_time=7200),
}
#: Of submissions of the same second. The range of a figure over them is noise.
ORDERS = (0, 1, 2)
_COLUMNS: Mapping[str, str] = {
    "mean_delay_h": "mean delay, h",
    "high_p95_delay_min": "high class, p95 of the delay, min",
    "lost_percent": "lost, %",
    "low_longest_delay_d": "low class, longest delay, d",
    "wide_mean_delay_h": "wide jobs, mean delay, h",
}
_HEADS = ("case", "policy", *_COLUMNS.values())


def table(found: Sequence[Sequence[Figures]]) -> str:
    """Returns a row for each case and variant, with the range of each figure over the orders."""
    pairs = product(CASES, VARIANTS)
    rows = [(case.name, name, *_ranges(runs)) for (case, name), runs in zip(pairs, found, strict=True)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (_HEADS, ("---",) * len(_HEADS), *rows))


def _ranges(runs: Sequence[Figures]) -> Iterator[str]:
    for column in _COLUMNS:
        values = [getattr(figures, column) for figures in runs]
        low, high = three_digits(min(values)), three_digits(max(values))
        yield low if low == high else f"{low} to {high}"


def setups() -> list[Setup]:
    return [
        replace(case.setup(Ordering.SHORTEST), policy=policy, order=order)
        for case, policy, order in product(CASES, VARIANTS.values(), ORDERS)
    ]


def _replayed() -> list[list[Figures]]:
    figures = [replay.figures for replay in replay_all([(setup, SAGEQUEUE) for setup in setups()])]
    return [figures[start : start + len(ORDERS)] for start in range(0, len(figures), len(ORDERS))]


if __name__ == "__main__":
    shown = table(_replayed())
    sys.stdout.write(f"{shown}\n")
    write(PAGE, shown, section="settings")
