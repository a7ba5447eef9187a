"""Replays windows of the traces with each rejected rule, and with the defaults in three orders.

python -m benchmarks.scheduling.tried.rejected   writes the table of rejected rules to docs/explain/benchmarks.md
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import product
from unittest.mock import patch

from benchmarks.scheduling.cases import WINDOWS, Case
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import SAGEQUEUE, replay
from benchmarks.scheduling.report import print_and_write
from benchmarks.scheduling.settings import COLUMNS, Found, orders_of, table
from benchmarks.scheduling.tried import Change
from benchmarks.scheduling.tried.claims import CLAIMS
from benchmarks.scheduling.tried.estimates import ESTIMATES
from benchmarks.scheduling.tried.order import ORDER
from benchmarks.scheduling.tried.preemption import PREEMPTION
from scheduler.core.jobs.team import Ordering

_HEADS = ("case", "rule", *COLUMNS.values())
#: The changes of each rule.
RULES: Mapping[str, Sequence[Change]] = {"defaults": (), **PREEMPTION, **CLAIMS, **ORDER, **ESTIMATES}


def replayed(window: Case, rule: str, order: int = 0) -> Figures:
    with applied(rule):
        return replay(replace(window.setup(Ordering.SHORTEST), order=order), SAGEQUEUE).figures


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


def _main() -> None:
    print_and_write(table(found_in(WINDOWS), _HEADS), section="rejected")


if __name__ == "__main__":
    _main()
