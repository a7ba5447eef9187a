"""Fresh worlds are played to the end, and failing seeds are kept."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from support.simulation.runs import fresh_worlds
from support.simulation.runs.fresh_worlds import OPEN_SEEDS, current_commit, first_seed, line_of, play
from support.simulation.runs.random_world import Failure, Report


def some_fail(seeds: Iterable[int]) -> Iterator[Report | Failure]:
    for seed in seeds:
        yield Failure(seed, "S1: a job holds\ntoo much", ["last step"]) if seed % 2 else Report(runs=1)


def test_a_failing_seed_is_printed_and_kept_and_the_others_are_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fresh_worlds, "outcomes", some_fail)
    kept = tmp_path / "open_seeds.txt"
    assert play(4, 10, kept).runs == 2
    lines = kept.read_text().splitlines()
    assert [line.split(" | ")[:4] for line in lines] == [
        [seed, current_commit(), "S1", "a job holds too much"] for seed in ("11", "13")
    ]
    printed = capsys.readouterr().out
    assert "make simulate SEED=11 RUNS=1" in printed
    assert lines[1] in printed
    assert printed.endswith("2 of 4 fresh worlds hold\n")


def test_each_commit_plays_seeds_of_its_own_far_from_the_fixed_ones() -> None:
    assert first_seed("3aed44d") == 61_789_261
    assert first_seed("3aed44d") != first_seed("fa43c05")


def test_the_kept_list_has_a_line_for_each_seed() -> None:
    lines = [line for line in OPEN_SEEDS.read_text().splitlines() if not line.startswith("#")]
    of_new_failure = line_of(Failure(1, "S1: a sentence", []), "3aed44d").split(" | ")
    assert {len(line.split(" | ")) for line in lines} <= {len(of_new_failure)}
