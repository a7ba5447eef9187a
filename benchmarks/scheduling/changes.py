"""Replays windows of the traces with and without timers and claims, each alone and both together.

python -m benchmarks.scheduling.changes   writes what each change is worth, in docs/explain/benchmarks.md
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from unittest.mock import patch

from benchmarks.scheduling.cases import WINDOWS, Case, three_digits
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import SAGEQUEUE, replay
from benchmarks.scheduling.report import PAGE, write
from benchmarks.scheduling.settings import COLUMNS
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.placement.reservations import Place
from scheduler.core.planner.plan import Victim
from scheduler.core.planner.planning import _JobDecisions

_HEADS = ("case", "timers", "claims", *COLUMNS.values())


@dataclass(frozen=True, slots=True)
class Ablation:
    window: Case
    has_timers: bool
    has_claims: bool


ABLATIONS = tuple(Ablation(*parts) for parts in product(WINDOWS, (False, True), (False, True)))


def replayed(ablation: Ablation) -> Figures:
    setup = ablation.window.setup(Ordering.SHORTEST, has_timers=ablation.has_timers)
    if ablation.has_claims:
        return replay(setup, SAGEQUEUE).figures
    with patch.object(_JobDecisions, "_claim", _block_all_behind):
        return replay(setup, SAGEQUEUE).figures


def table(found: Mapping[Ablation, Figures]) -> str:
    rows = [(*_names(ablation), *_values(figures)) for ablation, figures in found.items()]
    return "\n".join("| " + " | ".join(row) + " |" for row in (_HEADS, ("---",) * len(_HEADS), *rows))


def _block_all_behind(
    self: _JobDecisions, job: Job, _victims: Sequence[Victim], hindrance: str, _place: Place | None = None
) -> None:
    """Reserves instances for a job that may preempt only later, as before claims: no job behind it may preempt."""
    self._ledger.reserve(job, self._ranks.of(job))
    self._wait(job, ReasonCode.WAITS_TO_PREEMPT, hindrance)


def _names(ablation: Ablation) -> tuple[str, ...]:
    return (ablation.window.name, *("yes" if has else "no" for has in (ablation.has_timers, ablation.has_claims)))


def _values(figures: Figures) -> Iterator[str]:
    return (three_digits(getattr(figures, column)) for column in COLUMNS)


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        shown = table(dict(zip(ABLATIONS, pool.map(replayed, ABLATIONS), strict=True)))
    sys.stdout.write(f"{shown}\n")
    write(PAGE, shown, section="changes")
