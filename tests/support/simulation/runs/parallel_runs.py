"""Many runs on all cores."""

import gc
import os
from collections.abc import Iterable
from multiprocessing import get_context

from support.simulation.runs.random_world import Failure, Report, run

_CHUNK = 5  # so that no core is left to play the last ones alone


def run_many(seeds: Iterable[int]) -> Report:
    """The reports of all, or the Failure of the first that failed."""
    report = Report()
    # Fresh processes: whatever the parent has open or patched stays its own.
    with get_context("spawn").Pool(os.cpu_count(), _get_ready) as pool:
        for outcome in pool.imap(_run_or_fail, seeds, _CHUNK):
            if isinstance(outcome, Failure):
                raise outcome
            report.add(outcome)
    return report


def _get_ready() -> None:
    """What is loaded by now stays: looking through it for garbage again and again took a sixth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _run_or_fail(seed: int) -> Report | Failure:
    try:
        return run(seed)
    except Failure as failure:
        return failure
