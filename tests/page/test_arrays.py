"""The arrays on the view of the present: their progress, and the jobs of the open one."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from page.crowd import ANNA, Crowd
from page.layout import WIDTHS, faults, set_width
from page.test_views import obstacles
from sagequeue.contract.arrays import Array
from unit.sagequeue.builders.jobs import a_job

OpenCrowd = Callable[[Crowd], Page]


def an_array(name: str = "grid", state: str = "active") -> Array:
    counts = {"completed": 3, "running": 2, "waiting": 25, "held_or_parked": 0, "failed": 1, "stopped": 0}
    return {
        "name": name,
        "owner": ANNA,
        "state": state,
        "size": 1231,
        "priority": 5,
        "progress": {**counts, "not_created": 1200},  # type: ignore[typeddict-item]  # the other members
        "at_most": None,
        "most_failures": None,
        "held_by": None,
        "end": None,
        "problem": None,
        "instances": {"ml.g5.xlarge": 1},
        "max_runtime": 86400,
        "approved_by": None,
        "submitted_at": (datetime.now(UTC) - timedelta(hours=2)).isoformat(),
        "updated_at": None,
    }


def crowd_with_an_array() -> Crowd:
    crowd = Crowd(3)
    crowd.jobs += [a_job(name=f"grid-{number}", owner=ANNA) for number in range(2)]
    crowd.arrays = [an_array(), an_array("old", "ended")]
    return crowd


def test_an_array_is_one_row_with_its_progress_until_it_is_opened(open_crowd: OpenCrowd) -> None:
    page = open_crowd(crowd_with_an_array())
    section, jobs = page.get_by_role("region", name="Arrays"), page.locator("tbody tr[data-row]")
    row = section.get_by_role("row", name="grid")
    expect(row).to_contain_text("3 done, 2 running, 25 waiting, 1 failed, 1,200 to come")
    expect(section.get_by_role("row", name="old")).to_have_count(0)
    expect(page.get_by_role("row", name="sweep-00001")).to_be_visible()
    expect(page.get_by_role("link", name="grid-0")).to_have_count(0)
    row.get_by_role("button", name="grid").click()
    expect(page).to_have_url(re.compile("array=grid"))
    expect(jobs).to_have_count(2)
    expect(page.get_by_role("heading", name="Jobs of grid")).to_be_visible()
    page.get_by_role("button", name="All jobs").click()
    expect(jobs).to_have_count(11)


def test_arrays_fit_each_width_without_obstacles(open_crowd: OpenCrowd) -> None:
    page = open_crowd(crowd_with_an_array())
    expect(page.get_by_role("button", name="grid")).to_be_visible()
    assert obstacles(page, "light") + obstacles(page, "dark") == []
    for width in WIDTHS:
        set_width(page, width)
        assert faults(page) == []
