"""Plays many worlds on all cores."""

import gc
import os
from collections.abc import Iterable, Iterator
from multiprocessing import get_context

from support.simulation.runs.random_world import Failure, Report, run

_CHUNK = 5  # small, so that all cores finish at the same time


def run_many(seeds: Iterable[int]) -> Report:
    """Returns the sum of all reports. Raises the first Failure."""
    report = Report()
    for outcome in outcomes(seeds):
        if isinstance(outcome, Failure):
            raise outcome
        report.add(outcome)
    return report


def outcomes(seeds: Iterable[int]) -> Iterator[Report | Failure]:
    """Plays each world, and yields its report or its failure."""
    # Fresh processes share none of the parent's patches and open files.
    with get_context("spawn").Pool(os.cpu_count(), _freeze_loaded_objects) as pool:
        yield from pool.imap(_run_or_fail, seeds, _CHUNK)


def _freeze_loaded_objects() -> None:
    """Freezes loaded objects: collecting them took a sixth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _run_or_fail(seed: int) -> Report | Failure:
    try:
        return run(seed)
    except Failure as failure:
        return failure
    except Exception as error:  # noqa: BLE001 - an error of the world itself names its seed, too
        return Failure(seed, f"error: {error!r}", [])
