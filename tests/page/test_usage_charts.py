"""The charts of the history: held, free and waited-for instances, preemptions and budget changes."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.crowd import KIND, Crowd
from page.layout import WIDTHS, faults, set_width
from page.test_history_view import ended
from page.test_views import obstacles
from unit.sagequeue.builders.history import a_change

OpenCrowd = Callable[[Crowd], Page]


def _ago(hours: float) -> str:
    return (datetime.now(UTC) - timedelta(hours=hours)).isoformat()


def _busy() -> Crowd:
    """Eight instances have been running for up to three hours; two attempts have ended, one of them four days ago."""
    crowd = Crowd(5, team="vision")
    done: dict[str, Any] = {"done": [{"kind": "preempted", "by": "queue"}], "stopped_for": "urgent-fix"}
    crowd.history = [
        ended("clip-distill", "completed", days_ago=0.5, hours=6, team="speech"),
        ended("old-job", "completed", days_ago=4, hours=10, team="speech"),
        a_change("clip-distill", version=3, changed_at=_ago(9), team="speech", **done),
    ]
    crowd.past_budgets = [
        {"begins": _ago(24 * 7), "budget": {KIND: 4}, "source": "parameter", "changed_by": None},
        {"begins": _ago(3), "budget": {KIND: 8}, "source": "operator", "changed_by": "arn:aws:iam::1:user/olga"},
    ]
    return crowd


def _opened(open_crowd: OpenCrowd, crowd: Crowd) -> Page:
    page = open_crowd(crowd)
    page.get_by_role("link", name="History").click()
    return page


def test_held_free_and_waiting_instances_of_a_day_are_drawn_and_told(open_crowd: OpenCrowd) -> None:
    page = _opened(open_crowd, _busy())
    section = page.get_by_role("region", name="Instances over time")
    chart = section.get_by_role("img", name=f"{KIND}: held")
    expect(chart).to_have_count(1)
    expect(chart).to_have_attribute("aria-label", re.compile(r"held [\d.]+ on average, 8 at most; waiting .*; free"))
    assert _inks(page) > 3, "the canvas shows lines of several colours"
    section.get_by_text("As a table").click()
    rows = section.get_by_role("row")
    expect(rows).to_have_count(1 + 12)
    expect(rows.last).to_contain_text("5")
    told = section.get_by_role("list", name="Preemptions and budget changes")
    expect(told.get_by_role("listitem")).to_have_count(2)
    expect(told).to_contain_text(f"budget: 8 × {KIND}, by olga")
    told.get_by_role("link", name="clip-distill was preempted for urgent-fix").click()
    expect(page).to_have_url(re.compile("#/job/clip-distill$"))


def test_a_week_and_teams_are_chosen_in_the_address(open_crowd: OpenCrowd) -> None:
    page = _opened(open_crowd, _busy())
    section = page.get_by_role("region", name="Instances over time")
    section.get_by_label("For each").select_option("team")
    expect(section.get_by_role("img")).to_have_count(2)
    expect(section.get_by_role("img", name="speech: held")).to_have_attribute("aria-label", re.compile("1 at most"))
    section.get_by_label("Last").select_option("7 days")
    expect(page).to_have_url(re.compile("days=7"))
    page.reload()
    expect(section.get_by_label("For each")).to_have_value("team")
    expect(section.get_by_role("img", name="vision: held")).to_have_attribute("aria-label", re.compile("8 at most"))


def test_pointing_at_a_chart_tells_the_values_of_that_time(open_crowd: OpenCrowd) -> None:
    page = _opened(open_crowd, _busy())
    section = page.get_by_role("region", name="Instances over time")
    expect(section.locator("figcaption")).to_contain_text("held 8, waiting 5, free 0")
    box = section.locator(".u-over").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.1, box["y"] + 20)
    expect(section.locator("figcaption")).to_contain_text("held 0, waiting 0, free 4")


@pytest.mark.parametrize("width", WIDTHS)
def test_charts_fit_each_width_and_are_accessible(open_crowd: OpenCrowd, width: int) -> None:
    page = _opened(open_crowd, _busy())
    set_width(page, width)
    expect(page.get_by_role("img", name=f"{KIND}: held")).to_have_count(1)
    page.get_by_text("As a table").first.click()
    assert faults(page) == []
    canvas = page.locator("canvas").first.bounding_box()
    assert canvas
    assert canvas["x"] + canvas["width"] <= width
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def test_nothing_held_or_waited_for_is_a_plain_line(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.jobs = []
    expect(
        _opened(open_crowd, crowd).get_by_text("No job held or waited for instances in this period.")
    ).to_be_visible()


def _inks(page: Page) -> int:
    """Counts the opaque colours of the first chart."""
    found: int = page.evaluate("""() => {
      const canvas = document.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Set();
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) colours.add(`${data.slice(at, at + 3)}`);
      return colours.size;
    }""")
    return found
