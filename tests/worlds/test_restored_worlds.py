"""Plays worlds whose table is restored from an old backup."""

from collections import Counter

import pytest

from scheduler.cycle.reconcile.adoption import Adoption, AdoptionOutcome
from support.simulation.runs.random_world import Failure
from support.simulation.runs.restored_world import run

RUNS = 30


def test_the_budget_holds_and_what_was_launched_since_is_adopted() -> None:
    checked = _run_all(range(RUNS))
    assert {number for number, count in checked.items() if count >= RUNS} >= {"S1", "S2", "S3", "L1", "L5", "lease"}


def test_a_queue_that_adopts_no_attempt_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Adoption, "adopt", lambda *_: AdoptionOutcome.SETTLED)
    with pytest.raises(Failure):
        _run_all(range(200, 500))  # one world in 45 launches so much after the backup that it shows


def _run_all(seeds: range) -> Counter[str]:
    return sum((run(seed) for seed in seeds), Counter[str]())
