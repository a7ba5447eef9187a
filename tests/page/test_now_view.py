"""The view of the present: its filters, its ages, its reasons, and how few tab stops come before the list."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from page.crowd import Crowd
from unit.sagequeue.builders.jobs import a_job, an_attempt

OpenCrowd = Callable[[Crowd], Page]
#: The page renders each second: a name is typed longer than that.
SLOWLY = 180
#: Of a keyboard from the top of the page to the list, without the link that skips to it.
MOST_TAB_STOPS = 24
#: The longest texts that an age has.
AGES = (timedelta(minutes=9, seconds=59), timedelta(hours=47, minutes=58), timedelta(days=321, hours=23))
REASON = "needs 2 × ml.p4d.24xlarge, free: 0; jobs of the same or a higher priority hold the others until 14:30"
CLIPPED = "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)"


def test_a_name_typed_slowly_keeps_every_letter_and_filters(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(40))
    field = page.get_by_role("searchbox", name="Name begins with")
    field.press_sequentially("sweep-0003", delay=SLOWLY)
    expect(field).to_have_value("sweep-0003")
    expect(page.locator("tbody tr[data-row]")).to_have_count(10)


def test_the_filters_are_in_the_address(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(40))
    page.get_by_label("Show").select_option("waiting")
    page.get_by_role("searchbox", name="Name begins with").fill("sweep-0001")
    expect(page).to_have_url(re.compile(r"#/now\?state=pending%2Cpreempted&name=sweep-0001$"))
    page.reload()
    expect(page.get_by_label("Show")).to_have_value("pending,preempted")
    expect(page.get_by_role("searchbox", name="Name begins with")).to_have_value("sweep-0001")
    expect(page.locator("tbody tr[data-row]")).to_have_count(10)
    page.get_by_role("link", name="sweep-00011").click()
    page.go_back()
    expect(page.locator("tbody tr[data-row]")).to_have_count(10)


def test_the_title_names_the_view_and_the_counts(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(40)
    crowd.shown["resnet"] = a_job("running", "running", attempts=[an_attempt()], actions=[])
    page = open_crowd(crowd)
    expect(page).to_have_title("Now: 8 running, 40 waiting – SageQueue")
    page.get_by_role("link", name="Teams").click()
    expect(page).to_have_title("Teams: 8 running, 40 waiting – SageQueue")
    page.goto(f"{page.url.partition('#')[0]}#/job/resnet")
    expect(page).to_have_title("resnet: running – SageQueue")


def test_a_running_job_shows_its_time_of_its_limit_in_place_of_sagemakers_message(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    start = datetime.now(UTC) - timedelta(minutes=4, seconds=1)
    attempt = an_attempt(training_started_at=start.isoformat(), reserved_at=start.isoformat())
    crowd.jobs = [a_job("running", "running", name="trains", attempts=[attempt], max_runtime=3600)]
    row = open_crowd(crowd).get_by_role("row", name="trains")
    expect(row).to_contain_text(re.compile(r"running 4 min.* of 1 h"))
    expect(row).not_to_contain_text("image download")


def test_ages_are_never_clipped(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    ages = [(datetime.now(UTC) - age).isoformat() for age in AGES]
    crowd.jobs = [a_job(name=f"aged-{number}", submitted_at=age) for number, age in enumerate(ages)]
    page = open_crowd(crowd)
    expect(page.get_by_role("row", name="aged-2")).to_contain_text("321 d 23 h")
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.get_by_role("row", name="aged-2")).to_be_visible()
        assert page.locator("tbody td.number").evaluate_all(CLIPPED) == []


@pytest.mark.parametrize("width", [1280, 1024])
def test_a_laptop_shows_the_whole_of_a_long_reason_and_scrolls_to_the_last_row(
    open_crowd: OpenCrowd, width: int
) -> None:
    crowd = Crowd(0)
    crowd.jobs = [a_job(name=f"waits-{number:03d}", message=REASON) for number in range(300)]
    page = open_crowd(crowd)
    page.set_viewport_size({"width": width, "height": 844})
    expect(page.get_by_role("row", name="waits-000")).to_contain_text(REASON)
    assert page.locator("tbody td.why").evaluate_all(CLIPPED) == []
    page.get_by_role("checkbox", name="Select waits-000").focus()
    page.keyboard.press("End")
    expect(page.get_by_role("row", name="waits-299")).to_be_in_viewport(ratio=0.99)


def test_few_tab_stops_come_before_the_list_and_a_link_skips_them(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(40))
    expect(page.get_by_role("row", name="sweep-00002")).to_be_visible()
    in_list = "() => Boolean(document.activeElement.closest('.table-frame tbody'))"
    stops = 0
    while not page.evaluate(in_list):
        page.keyboard.press("Tab")
        stops += 1
        assert stops <= MOST_TAB_STOPS
    page.reload()
    expect(page.get_by_role("row", name="sweep-00002")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate(in_list)
    expect(page).to_have_url(re.compile("#/now$"))


def test_the_lanes_are_one_tab_stop_and_arrows_move_between_their_bars(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(0))
    bars = page.get_by_role("link", name=re.compile("attempt 1: running"))
    expect(bars).to_have_count(8)
    assert page.locator(".lanes a[tabindex='0']").count() == 1
    page.locator(".lanes a[tabindex='0']").focus()
    expect(bars.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(bars.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(bars.nth(7)).to_be_focused()
