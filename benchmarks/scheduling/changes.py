"""Replays windows of the traces with and without timers and claims, each alone and both together.

python -m benchmarks.scheduling.changes           writes the effect of each change to docs/explain/benchmarks.md
python -m benchmarks.scheduling.changes --whole   writes the effect of both in the six cases, which takes an hour
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from unittest.mock import patch

from benchmarks.scheduling.cases import CASES, WINDOWS, Case, three_digits
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import SAGEQUEUE, replay
from benchmarks.scheduling.report import PAGE, printed, write
from benchmarks.scheduling.settings import COLUMNS, lines
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.plan import Victim
from scheduler.core.planner.planning import _JobDecisions

_HEADS = ("case", "timers", "claims", *COLUMNS.values())
_HEADS_OF_CASES = ("case", "ordering", *COLUMNS.values())
_ORDERINGS = (Ordering.SHORTEST, Ordering.FIFO)


@dataclass(frozen=True, slots=True)
class Ablation:
    window: Case
    has_timers: bool
    has_claims: bool
    ordering: Ordering = Ordering.SHORTEST


ABLATIONS = tuple(Ablation(*parts) for parts in product(WINDOWS, (False, True), (False, True)))
#: For each case and ordering, the replay without both changes and the one with both.
WHOLE = tuple(Ablation(case, has, has, ordering) for case, ordering, has in product(CASES, _ORDERINGS, (False, True)))


def replayed(ablation: Ablation) -> Figures:
    setup = ablation.window.setup(ablation.ordering, has_timers=ablation.has_timers)
    if ablation.has_claims:
        return replay(setup, SAGEQUEUE).figures
    with patch.object(_JobDecisions, "_claim", _block_all_behind):
        return replay(setup, SAGEQUEUE).figures


def table(found: Iterable[Figures]) -> Iterator[str]:
    """Yields the lines of the table of windows, from the figures of ABLATIONS."""
    rows = ((*_names(ablation), *_values(figures)) for ablation, figures in zip(ABLATIONS, found, strict=True))
    return lines(_HEADS, rows)


def table_of_cases(found: Iterable[Figures]) -> Iterator[str]:
    """Yields a line for each case and ordering, from the figures of WHOLE: without both changes, then with both."""
    figures = iter(found)
    return lines(_HEADS_OF_CASES, (_compared(both, next(figures), next(figures)) for both in WHOLE[1::2]))


def _compared(both: Ablation, before: Figures, after: Figures) -> Sequence[str]:
    pairs = zip(_values(before), _values(after), strict=True)
    return (both.window.name, f"`{both.ordering}`", *(" → ".join(pair) for pair in pairs))


def _block_all_behind(self: _JobDecisions, job: Job, _victims: Sequence[Victim], hindrance: str) -> None:
    """Reserves instances for a job that cannot preempt yet, as before claims.

    Jobs behind it then cannot preempt.
    """
    self._ledger.reserve(job, self._ranks.of(job))
    self._wait(job, ReasonCode.WAITS_TO_PREEMPT, hindrance)


def _names(ablation: Ablation) -> tuple[str, ...]:
    return (ablation.window.name, *("yes" if has else "no" for has in (ablation.has_timers, ablation.has_claims)))


def _values(figures: Figures) -> Iterator[str]:
    return (three_digits(getattr(figures, column)) for column in COLUMNS)


def _main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.scheduling.changes", description=__doc__)
    parser.add_argument("--whole", action="store_true", help="Replay the six cases in place of windows.")
    is_whole = parser.parse_args(arguments).whole
    with ProcessPoolExecutor() as pool:
        found = pool.map(replayed, WHOLE if is_whole else ABLATIONS)
        shown = table_of_cases(found) if is_whole else table(found)
        write(PAGE, printed(shown), section="both changes" if is_whole else "changes")


if __name__ == "__main__":
    _main(sys.argv[1:])
