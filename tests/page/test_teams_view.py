"""The view of teams: running instances, recent use and the next team's turn."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from page.crowd import KIND, Crowd
from sagequeue.contract.queue import TeamLine

OpenCrowd = Callable[[Crowd], Page]
VISION: TeamLine = {
    "running": {KIND: 3},
    "queued": 4,
    "weight": 2.0,
    "quota": {KIND: 2},
    "lend": {KIND: 1},
    "borrow_at_most": {},
    "ceiling": {KIND: 4},
    "settings": {"protected_run_time": "1h"},
    "used_weighted_seconds": 36_000.0,
}


def test_a_teams_recent_use_is_shown_as_a_whole_and_by_weight(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.teams = {"vision": VISION, "speech": VISION | {"running": {}, "weight": 1.0, "used_weighted_seconds": 0.0}}
    page = open_crowd(crowd)
    page.get_by_role("link", name="Teams").click()
    expect(page.get_by_role("row", name="vision")).to_contain_text(f"1 × {KIND}10.0 h5.0 h4")  # 1 of 3 is borrowed
    expect(page.get_by_role("row", name="vision")).to_contain_text(
        f"lends 1 × {KIND}, up to 4 × {KIND} in all, protected run time 1h"
    )
    expect(page.get_by_role("row", name="speech")).to_contain_text("0.0 h")


def test_a_queue_without_teams_shows_a_sentence(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(0))
    page.get_by_role("link", name="Teams").click()
    expect(page.get_by_text("The queue has no teams")).to_be_visible()
