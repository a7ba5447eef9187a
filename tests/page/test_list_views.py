"""The list of jobs as its reader wants it: columns, order, a file, saved views, the palette, and notifications."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from page.crowd import ANNA, Crowd
from page.desktop import BETWEEN_LOOKS, DESKTOP
from page.layout import WIDTHS, faults, set_width
from page.test_views import obstacles
from support.deployed.waiting import eventually

OpenCrowd = Callable[[Crowd], Page]

_TEXT = "cell => { const range = new Range(); range.selectNodeContents(cell); return range.getBoundingClientRect()"
_START_OF_TEXT, _END_OF_TEXT = f"{_TEXT}.left; }}", f"{_TEXT}.right; }}"


def _menu(page: Page) -> Locator:
    page.get_by_role("button", name="View…").click()
    return page.get_by_role("group", name="View of the list")


def _names(page: Page) -> Locator:
    return page.locator("tbody tr[data-row] th")


def test_the_chosen_columns_are_in_the_address(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(3, team="vision"))
    menu = _menu(page)
    menu.get_by_role("checkbox", name="Time limit").check()
    menu.get_by_role("checkbox", name="Owner").uncheck()
    menu.get_by_role("button", name="Close").click()
    expect(page.get_by_role("row", name="sweep-00001")).to_contain_text("24 h")
    expect(page.get_by_role("columnheader", name="Owner")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("columnheader", name="Time limit")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Owner")).to_have_count(0)
    menu = _menu(page)
    menu.get_by_role("checkbox", name="Time limit").uncheck()
    menu.get_by_role("checkbox", name="Owner").check()
    expect(page).to_have_url(re.compile("#/now$"))  # the usual columns are not named


def test_a_sorted_list_is_sorted_as_a_whole(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(450)
    for number, job in enumerate(crowd.jobs):
        job["priority"] = number % 400
    page = open_crowd(crowd)
    page.get_by_role("button", name="Priority", exact=True).click()
    expect(page.get_by_role("columnheader", name="Priority")).to_have_attribute("aria-sort", "ascending")
    expect(_names(page).first).to_have_text("run-0")
    page.get_by_role("button", name="Priority", exact=True).click()
    expect(_names(page).first).to_have_text("sweep-00391")  # on the third page of the queue's order
    expect(page).to_have_url(re.compile("sort=-priority$"))
    page.reload()
    expect(_names(page).first).to_have_text("sweep-00391")
    page.get_by_role("button", name="Priority", exact=True).click()
    expect(_names(page).first).to_have_text("run-0")
    expect(page).to_have_url(re.compile("#/now$"))
    menu = _menu(page)
    menu.get_by_label("Sort by").select_option("Job ↓")
    expect(_names(page).first).to_have_text("sweep-00449")


def test_the_list_is_saved_as_a_file_with_all_jobs_that_match(open_crowd: OpenCrowd, tmp_path: Path) -> None:
    crowd = Crowd(250)
    crowd.jobs[9]["reason"]["message"] = '=HYPERLINK("http://evil.example"), 1'
    crowd.jobs[9]["priority"] = -3
    page = open_crowd(crowd)
    page.get_by_role("searchbox", name="Name begins with").fill("sweep-")
    expect(_names(page).first).to_have_text("sweep-00000")
    menu = _menu(page)
    with page.expect_download() as begun:
        menu.get_by_role("button", name="Download as CSV").click()
    begun.value.save_as(tmp_path / "jobs.csv")
    with (tmp_path / "jobs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert begun.value.suggested_filename == "jobs.csv"
    assert [row["name"] for row in rows] == [f"sweep-{number:05}" for number in range(250)]
    assert [*rows[0]] == ["position", "name", "state", "priority", "instances", "owner", "submitted_at", "why"]
    assert (rows[1]["why"], rows[1]["priority"]) == ('\'=HYPERLINK("http://evil.example"), 1', "-3")
    assert (rows[0]["owner"], rows[0]["submitted_at"]) == (ANNA, crowd.jobs[8]["submitted_at"])


def test_a_view_is_saved_under_a_name_and_found_again(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(30))
    page.get_by_role("searchbox", name="Name begins with").fill("sweep-0001")
    page.get_by_role("checkbox", name="mine").check()
    menu = _menu(page)
    menu.get_by_role("textbox", name="Name of this view").fill("my tens")
    menu.get_by_role("button", name="Save").click()
    expect(menu.get_by_role("link", name="my tens")).to_be_visible()
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    page.get_by_role("link", name="Capacity").click()
    page.get_by_role("link", name="Now", exact=True).click()
    expect(_names(page).first).to_have_text("run-0")
    menu = _menu(page)
    menu.get_by_role("link", name="my tens").click()
    expect(_names(page)).to_have_count(10)
    expect(page.get_by_role("checkbox", name="mine")).to_be_checked()
    menu.get_by_role("button", name="Forget my tens").click()
    page.reload()
    expect(_menu(page).get_by_role("link", name="my tens")).to_have_count(0)


def test_mine_shows_only_the_callers_jobs(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3, owner="arn:aws:iam::123456789012:user/bob")
    crowd.jobs[9]["owner"] = ANNA
    page = open_crowd(crowd)
    page.get_by_role("checkbox", name="mine").check()
    expect(_names(page)).to_have_text(["sweep-00001"])
    expect(page).to_have_url(re.compile("mine=true$"))


def test_an_action_without_a_selection_takes_all_jobs_that_match_after_a_question(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(450, team="vision")
    page = open_crowd(crowd)
    hold = page.get_by_role("toolbar").get_by_role("button", name="Hold")
    expect(hold).to_have_attribute("aria-disabled", "true")  # without a filter that would be the whole queue
    page.get_by_role("searchbox", name="Name begins with").fill("team:vision sweep-0000")
    expect(_names(page)).to_have_count(10)
    hold.click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("Hold 10 jobs?")
    question.get_by_role("button", name="Keep").click()
    assert crowd.changes == []
    page.get_by_role("searchbox", name="Name begins with").fill("sweep-")
    expect(page.get_by_text("more jobs below")).to_be_visible()
    hold.click()
    expect(question).to_contain_text("Hold 450 jobs?")


def test_the_actions_are_one_tab_stop_and_arrows_move_between_them(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(3))
    page.get_by_role("checkbox", name="Select sweep-00000").check()
    bar = page.get_by_role("toolbar")
    assert bar.locator("button[tabindex='0']").count() == 1
    bar.get_by_role("button", name="To the top").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(bar.get_by_role("button", name="Hold")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="View…")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(bar.get_by_role("button", name="Hold")).to_be_focused()


def test_keys_act_on_the_focused_job_after_other_jobs_have_left_the_list(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(4)
    page = open_crowd(crowd)
    page.get_by_role("checkbox", name="Select sweep-00002").focus()
    del crowd.jobs[8]
    expect(page.get_by_role("row", name="sweep-00000")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.get_by_role("status").filter(has_text="held")).to_contain_text("sweep-00002")
    assert crowd.changes == ["/jobs/sweep-00002/hold"]
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("checkbox", name="Select sweep-00001")).to_be_focused()


def test_the_list_keeps_its_tab_stop_when_the_focused_job_leaves_it(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(4)
    page = open_crowd(crowd)
    page.get_by_role("checkbox", name="Select sweep-00001").focus()
    del crowd.jobs[9]
    expect(page.get_by_role("row", name="sweep-00001")).to_have_count(0)
    expect(page.get_by_role("checkbox", name="Select sweep-00002")).to_have_attribute("tabindex", "0")


def test_the_palette_goes_to_views_jobs_and_lists_by_keyboard(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(40))
    expect(_names(page).first).to_be_visible()
    field = page.get_by_role("combobox", name="View, job or team")
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    field.fill("capa")
    expect(page.get_by_role("option", name="Capacity")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#/capacity$"))
    expect(field).to_have_count(0)
    page.keyboard.press("Control+k")
    field.fill("sweep-00012")
    expect(page.get_by_role("option", name="sweep-00012", exact=True)).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", name="Submit sweep-00012 again")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#/job/sweep-00012$"))
    page.keyboard.press("Control+k")
    field.fill("jobs my wait")
    page.get_by_role("option", name="My waiting jobs").click()
    expect(page).to_have_url(re.compile("mine=true&state=pending%2Cpreempted$"))
    page.keyboard.press("Control+k")
    field.fill("nothing of this name")
    expect(page.get_by_role("dialog")).to_contain_text("Nothing has this name.")
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)


# Both keys come within one task of the browser: before the event "close" of the first palette.
_ENTER_AND_CONTROL_K = """async field => {
    const press = (key, ctrlKey) => field.dispatchEvent(new KeyboardEvent("keydown", {key, ctrlKey, bubbles: true}));
    press("Enter", false);
    for (let step = 0; step < 9; step++) await null;
    dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true}));
}"""


def test_the_palette_opens_again_in_the_moment_in_which_it_closes(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(2))
    expect(_names(page).first).to_be_visible()
    field = page.get_by_role("combobox", name="View, job or team")
    page.keyboard.press("Control+k")
    field.fill("capa")
    field.evaluate(_ENTER_AND_CONTROL_K)
    expect(page).to_have_url(re.compile("#/capacity$"))
    expect(field).to_have_value("")
    field.fill("now")
    expect(page.get_by_role("option", name="Now")).to_be_visible()


def _notified_page(open_crowd: OpenCrowd, crowd: Crowd) -> Page:
    page = open_crowd(crowd)
    page.clock.install()
    page.add_init_script(DESKTOP)
    page.reload()
    expect(_names(page).first).to_be_visible()
    return page


def test_ones_own_jobs_are_told_on_the_desktop_once_that_is_turned_on(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(2)
    crowd.jobs[1]["owner"] = "arn:aws:iam::123456789012:user/bob"
    page = _notified_page(open_crowd, crowd)
    with page.expect_response(re.compile("mine=true&state=")):
        _menu(page).get_by_role("checkbox", name="Desktop notifications").check()
    for job in crowd.jobs[:2]:
        job["state"], job["attempts"] = "failed", []
        job["reason"] = {"code": "failed", "message": "no space left"}
    with page.expect_response(re.compile("mine=true&state=")):
        page.clock.run_for(BETWEEN_LOOKS)
    told: list[str] = eventually(lambda: page.evaluate("told"), bool)
    assert told == ["run-0: failed (no space left)"]


def test_notifications_that_the_browser_forbids_stay_off(open_crowd: OpenCrowd) -> None:
    page = _notified_page(open_crowd, Crowd(2))
    page.evaluate("answer = 'denied'")
    box = _menu(page).get_by_role("checkbox", name="Desktop notifications")
    box.click()
    expect(page.get_by_role("status").filter(has_text="does not allow notifications")).to_be_visible()
    expect(box).not_to_be_checked()


def test_a_list_with_every_column_scrolls_sideways(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(30))
    set_width(page, 1024)
    menu = _menu(page)
    for column in ("Team", "Time limit", "Preempted"):
        menu.get_by_role("checkbox", name=column).check()
    menu.get_by_role("button", name="Close").click()
    assert page.locator(".table-frame").evaluate("frame => frame.scrollWidth > frame.clientWidth")
    why = page.get_by_role("row", name="sweep-00001").locator(".why")
    expect(why).to_have_text("because of waits_for_budget")  # on a line of its own, which is as wide as the row
    assert 0 <= why.evaluate(_START_OF_TEXT) < why.evaluate(_END_OF_TEXT) <= 1024


@pytest.mark.parametrize("width", WIDTHS)
def test_the_menu_and_more_columns_fit_every_width(open_crowd: OpenCrowd, width: int) -> None:
    page = open_crowd(Crowd(30, team="speech-recognition"))
    set_width(page, width)
    columns = "name,state,priority,team,age,limit,preemptions,why"
    page.goto(f"{page.url.partition('#')[0]}#/now?columns={columns}&sort=-age")
    expect(_names(page).first).to_be_visible()
    assert faults(page) == []
    _menu(page)
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    box = page.locator("#view-menu").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
