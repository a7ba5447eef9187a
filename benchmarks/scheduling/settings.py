"""Replays windows of the traces with one setting of the policy changed at a time, and the defaults in three orders.

python -m benchmarks.scheduling.settings           writes the table of tried settings to docs/explain/benchmarks.md
python -m benchmarks.scheduling.settings --whole   writes the noise of the six cases: the defaults in three orders
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product

from benchmarks.scheduling.cases import CASES, WINDOWS, Case, three_digits
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import SAGEQUEUE, Setup, replay_each
from benchmarks.scheduling.report import PAGE, printed, write
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy

VARIANTS: Mapping[str, Policy] = {
    "defaults": Policy(ordering=Ordering.SHORTEST),
    "`patience: 2m`": Policy(ordering=Ordering.SHORTEST, patience=120),
    "`patience: 10m`": Policy(ordering=Ordering.SHORTEST, patience=600),
    "`protected_run_time: 1h30m`": Policy(ordering=Ordering.SHORTEST, protected_run_time=5400),
    "`protected_run_time: 2h`": Policy(ordering=Ordering.SHORTEST, protected_run_time=7200),
    "`protected_run_time: 5h`": Policy(ordering=Ordering.SHORTEST, protected_run_time=18_000),
}
#: Orders of submissions in the same second. The range of a figure over them is noise. Only the defaults are replayed in
#: all of them.
ORDERS = (0, 1, 2)
COLUMNS: Mapping[str, str] = {
    "mean_delay_h": "mean delay, h",
    "high_p95_delay_min": "high class, p95 of the delay, min",
    "lost_percent": "lost, %",
    "low_longest_delay_d": "low class, longest delay, d",
    "wide_mean_delay_h": "wide jobs, mean delay, h",
}
_HEADS = ("case", "policy", *COLUMNS.values())

#: The names of a window and a variant, and the figures of its replays.
Found = tuple[tuple[str, str], Sequence[Figures]]


def table(found: Iterable[Found], heads: Sequence[str] = _HEADS) -> Iterator[str]:
    """Yields a line for each window and variant, with the range of each figure over the orders."""
    rows = ((window, variant, *ranges(runs)) for (window, variant), runs in found)
    return lines(heads, rows)


def lines(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yields the lines of a table."""
    for row in chain((heads, ("---",) * len(heads)), rows):
        yield "| " + " | ".join(row) + " |"


def ranges(runs: Sequence[Figures]) -> Iterator[str]:
    for column in COLUMNS:
        values = [getattr(figures, column) for figures in runs]
        low, high = three_digits(min(values)), three_digits(max(values))
        yield low if low == high else f"{low} to {high}"


def setups(windows: Sequence[Case], variants: Mapping[str, Policy]) -> dict[tuple[str, str], list[Setup]]:
    """Returns the replays of each window and variant."""
    return {
        (window.name, name): [
            replace(window.setup(Ordering.SHORTEST), policy=policy, order=order) for order in orders_of(name)
        ]
        for window, (name, policy) in product(windows, variants.items())
    }


def orders_of(variant: str) -> Sequence[int]:
    return ORDERS if variant == "defaults" else ORDERS[:1]


def _replayed(asked: Mapping[tuple[str, str], Sequence[Setup]]) -> Iterator[Found]:
    found = replay_each([(setup, SAGEQUEUE) for runs in asked.values() for setup in runs])
    return ((key, [next(found).figures for _ in runs]) for key, runs in asked.items())


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.settings", description=__doc__)
    parser.add_argument("--whole", action="store_true", help="Replay the six cases, with the defaults only.")
    is_whole = parser.parse_args(arguments).whole
    asked = setups(CASES, {"defaults": VARIANTS["defaults"]}) if is_whole else setups(WINDOWS, VARIANTS)
    write(PAGE, printed(table(_replayed(asked))), section="noise" if is_whole else "settings")


if __name__ == "__main__":
    _main(sys.argv[1:])
