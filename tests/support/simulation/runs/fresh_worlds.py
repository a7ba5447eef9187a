"""Plays worlds from seeds that no run has played before, and keeps the failing seeds in a list.

The seeds begin at a number derived from the commit, so each commit plays other worlds, and a repeated run plays the
same worlds.
"""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

from support.checkout import CHECKOUT
from support.simulation.runs.parallel_runs import outcomes
from support.simulation.runs.random_world import Failure, Report

OPEN_SEEDS = CHECKOUT / "tests" / "simulation" / "open_seeds.txt"
_DIGITS = 7  # of the commit


def first_seed(commit: str) -> int:
    """Returns a number derived from the commit, far from the fixed seeds."""
    return int(commit, 16)


def current_commit() -> str:
    command = ["git", "-C", str(CHECKOUT), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - git itself
    return done.stdout[:_DIGITS]


def play(runs: int, seed: int | None, kept: Path = OPEN_SEEDS) -> Report:
    """Plays the worlds to the end, prints each failure, and adds its line to the kept list."""
    commit = current_commit()
    first = first_seed(commit) if seed is None else seed
    print(f"{runs} fresh worlds from seed {first} on, at commit {commit}", flush=True)
    report = Report()
    for outcome in outcomes(range(first, first + runs)):
        if isinstance(outcome, Failure):
            line = line_of(outcome, commit)
            print(outcome, f"to keep in {kept.name}:", line, sep="\n", flush=True)
            with kept.open("a") as file:
                file.write(f"{line}\n")
        else:
            report.add(outcome)
    print(f"{report.runs} of {runs} fresh worlds hold")
    return report


def line_of(failure: Failure, commit: str) -> str:
    """Returns the failure's line for the list."""
    judge, _, sentence = failure.what.partition(": ")
    return " | ".join([str(failure.seed), commit, judge, " ".join(sentence.split()), f"{datetime.now(UTC):%Y-%m-%d}"])
