"""Replays windows of the traces with each rejected rule, and with the defaults in three orders.

python -m benchmarks.scheduling.tried.rejected               writes the table of rules to docs/explain/benchmarks.md
python -m benchmarks.scheduling.tried.rejected --whole RULE  prints one rule's figures in the six cases
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import product
from unittest.mock import patch

from benchmarks.scheduling.cases import CASES, WINDOWS, Case
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import SAGEQUEUE, replay
from benchmarks.scheduling.report import PAGE, printed, write
from benchmarks.scheduling.settings import COLUMNS, Found, lines, orders_of, ranges, table
from benchmarks.scheduling.tried import Change
from benchmarks.scheduling.tried.claims import CLAIMS
from benchmarks.scheduling.tried.estimates import ESTIMATES
from benchmarks.scheduling.tried.order import ORDER
from benchmarks.scheduling.tried.preemption import PREEMPTION
from scheduler.core.jobs.team import Ordering

_HEADS = ("case", "rule", *COLUMNS.values())
_HEADS_OF_CASES = ("case", "ordering", *COLUMNS.values())
#: The changes of each rule.
RULES: Mapping[str, Sequence[Change]] = {"defaults": (), **PREEMPTION, **CLAIMS, **ORDER, **ESTIMATES}


def replayed(case: Case, rule: str, order: int = 0, ordering: Ordering = Ordering.SHORTEST) -> Figures:
    with applied(rule):
        return replay(replace(case.setup(ordering), order=order), SAGEQUEUE).figures


@contextmanager
def applied(rule: str) -> Iterator[None]:
    with ExitStack() as changes:
        for change in RULES[rule]:
            changes.enter_context(patch.object(*change))
        yield


def found_in(windows: Sequence[Case]) -> Iterator[Found]:
    """Yields the figures of each window and rule, in every order that is replayed."""
    asked = [(window, rule, order) for window, rule in product(windows, RULES) for order in orders_of(rule)]
    with ProcessPoolExecutor() as pool:
        figures = pool.map(replayed, *zip(*asked, strict=True))
        for window, rule in product(windows, RULES):
            yield (window.name, rule), [next(figures) for _ in orders_of(rule)]


def table_of_cases(rule: str) -> Iterator[str]:
    """Yields a line for each of the six cases with each ordering."""
    asked = [(case, rule, 0, ordering) for case, ordering in product(CASES, (Ordering.SHORTEST, Ordering.FIFO))]
    with ProcessPoolExecutor() as pool:
        figures = pool.map(replayed, *zip(*asked, strict=True))
        rows = ((case.name, f"`{ordering}`", *ranges([next(figures)])) for case, _, _, ordering in asked)
        yield from lines(_HEADS_OF_CASES, rows)


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.tried.rejected", description=__doc__)
    parser.add_argument("--whole", choices=RULES, metavar="RULE", help="Replay the six cases with this rule only.")
    rule = parser.parse_args(arguments).whole
    if rule:
        printed(table_of_cases(rule))
    else:
        write(PAGE, printed(table(found_in(WINDOWS), _HEADS)), section="rejected")


if __name__ == "__main__":
    _main(sys.argv[1:])
