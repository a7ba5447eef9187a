"""The figures find their place in the page."""

from pathlib import Path

import pytest
from benchmarks.scheduling.report import write


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
