"""The figures find their place in the page, and show what was missed."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.scheduling.figures import Figures
from benchmarks.scheduling.replay import Replay
from benchmarks.scheduling.report import write
from benchmarks.scheduling.targets import verdicts

from scheduler.core.jobs.team import Ordering

GOOD = Figures(1.0, 5.0, 3.0, 0.1, 20.0, 2, 5.0, 2.0, 70.0)
SPEED = dict.fromkeys(Ordering, (20.0, 300.0))


def judged(at_100: Figures, at_128: Figures = GOOD, easy: Figures = GOOD) -> dict[str, str]:
    """The column of `shortest` by the row's words."""
    replays = [Replay("", at_100, 30.0, ()), Replay("", at_128, 30.0, ())]
    table = verdicts(dict.fromkeys(Ordering, replays), [Replay("", easy, 1.0, ())] * 2, SPEED)
    return {words: cell for _, words, _, cell, *_ in (line.split(" | ") for line in _rows(table))}


def _rows(table: str) -> list[str]:
    return [line.replace("| ", " | ", 1) for line in table.splitlines()[2:]]


def test_what_is_above_a_target_is_missed_with_its_figure() -> None:
    assert judged(GOOD)["high class, p95 of the delay, minutes"] == "5 / 5, met"
    assert judged(replace(GOOD, high_p95_delay_min=12.34))["high class, p95 of the delay, minutes"].endswith(
        "**missed: 12.3**"
    )


def test_each_size_has_a_limit_of_its_own() -> None:
    both = replace(GOOD, lost_percent=0.3)
    assert judged(both, both)["instance time lost to preemption, %"] == "0.3 / 0.3, **missed: 0.3**"


def test_utilisation_is_held_against_easy() -> None:
    better = replace(GOOD, utilisation_percent=70.4)
    best = replace(GOOD, utilisation_percent=70.6)
    row = "utilisation, points below priority + EASY"
    assert judged(GOOD, easy=better)[row].endswith("met")
    assert "missed" in judged(GOOD, easy=best)[row]


def test_the_page_keeps_all_but_its_figures(tmp_path: Path) -> None:
    page = tmp_path / "scheduling.md"
    page.write_text("above\n<!-- figures: begin, written by x -->\nold\n<!-- figures: end -->\nbelow\n")
    write(page, r"| \1 |")
    assert page.read_text() == (
        "above\n<!-- figures: begin, written by x -->\n\n| \\1 |\n\n<!-- figures: end -->\nbelow\n"
    )


def test_a_page_without_markers_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "other.md"
    page.write_text("text")
    with pytest.raises(ValueError, match="lacks the lines"):
        write(page, "figures")
