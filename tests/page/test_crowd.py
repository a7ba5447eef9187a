"""Ten thousand jobs, and names that contain HTML."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from page.crowd import Crowd

OpenCrowd = Callable[[Crowd], Page]
HTML = "<img src=x onerror=\"document.title='taken over'\">"
#: Rows that the page may hold at a time, however many jobs there are: the screen and a margin.
MOST_ROWS = 60


def test_ten_thousand_jobs_scroll_to_the_last_with_a_screenful_of_rows(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(10_000))
    page.get_by_role("checkbox", name="Select run-0").focus()
    more, last = page.get_by_text("more jobs below"), page.locator("tbody tr[data-row]").last
    while more.count():
        before = last.get_attribute("data-row") or ""
        page.keyboard.press("End")
        expect(last).not_to_have_attribute("data-row", before)
    page.keyboard.press("End")
    expect(page.get_by_role("checkbox", name="Select sweep-09999")).to_be_focused()
    for end in ("Home", "End"):
        page.keyboard.press(end)
        assert page.locator("tbody tr").count() <= MOST_ROWS
    assert page.locator("table").get_attribute("aria-rowcount") == "10009"


def test_the_list_is_moved_through_and_acted_on_by_keyboard(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(20)
    page = open_crowd(crowd)
    page.get_by_role("checkbox", name="Select run-0").focus()
    for _ in range(9):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("h")
    expect(page.get_by_role("status")).to_contain_text("sweep-00001 held")
    assert crowd.changes == ["/jobs/sweep-00001/hold"]
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("c")
    expect(page.get_by_role("dialog")).to_contain_text("Cancel 2 jobs?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#/job/sweep-00002$"))
    assert crowd.changes == ["/jobs/sweep-00001/hold"]


def test_forbidden_actions_are_grey_with_the_reason(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(1, verbs=["control_own"], owner="arn:aws:iam::123456789012:user/bob"))
    page.get_by_role("checkbox", name="Select sweep-00000").check()
    hold = page.get_by_role("toolbar").get_by_role("button", name="Hold")
    expect(hold).to_have_attribute("aria-disabled", "true")
    hold.click(force=True)
    expect(page.get_by_role("status")).to_contain_text("sweep-00000 belongs to another caller")


def test_names_full_of_html_are_shown_as_they_are(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(1, team=HTML))
    expect(page.get_by_role("row", name="sweep-00000")).to_contain_text(HTML)
    expect(page).to_have_title("Now: 8 running, 1 waiting – SageQueue")
    assert page.locator("main img").count() == 0


def test_an_unreachable_queue_is_reported_and_the_last_answer_stays(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    page = open_crowd(crowd)
    expect(page.get_by_role("row", name="sweep-00002")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^run-0, attempt 1"))).to_be_visible()
    crowd.is_expired = True
    expect(page.get_by_role("alert").filter(has_text="signed in")).to_have_count(2)  # of the lanes and of the list
    expect(page.get_by_role("row", name="sweep-00002")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^run-0, attempt 1"))).to_be_visible()
    crowd.is_expired = False
    expect(page.get_by_role("alert")).to_have_count(0)
