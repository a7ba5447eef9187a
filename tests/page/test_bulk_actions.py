"""Actions on many jobs: a question above ten, progress, a stop, and no end when the tab is closed."""

import re
from collections.abc import Callable
from threading import Event

from playwright.sync_api import Dialog, Locator, Page, expect

from page.as_hosted import as_hosted
from page.crowd import Crowd
from support.deployed.waiting import eventually

OpenCrowd = Callable[[Crowd], Page]
WAITING = 90
#: Jobs that the page's server names in one call.
AT_ONCE = 20


def _select_all_waiting(page: Page) -> None:
    page.get_by_label("Show").select_option("waiting")
    expect(page.get_by_role("link", name="sweep-00000")).to_be_visible()
    page.get_by_role("checkbox", name="Select all loaded jobs").check()
    expect(page.get_by_text(f"{WAITING} selected")).to_be_visible()


def _progress(page: Page) -> Locator:
    return page.get_by_role("region", name="Bulk actions")


def _hold_all(open_crowd: OpenCrowd, crowd: Crowd) -> Page:
    """Holds all waiting jobs; the queue answers the first call only."""
    crowd.gate, crowd.let_through = Event(), AT_ONCE
    page = open_crowd(crowd)
    _select_all_waiting(page)
    page.get_by_role("toolbar").get_by_role("button", name="Hold").click()
    page.get_by_role("dialog").get_by_role("button", name=f"Hold {WAITING} jobs").click()
    expect(_progress(page)).to_contain_text(f"Hold: {AT_ONCE} of {WAITING} jobs")
    return page


def test_more_than_ten_jobs_are_changed_only_after_a_question_with_their_number(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(WAITING)
    page = open_crowd(crowd)
    _select_all_waiting(page)
    page.get_by_role("toolbar").get_by_role("button", name="Hold").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Hold {WAITING} jobs?")
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert crowd.changes == []


def test_two_jobs_are_held_without_a_question(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    page = open_crowd(crowd)
    for name in ("sweep-00000", "sweep-00002"):
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.get_by_role("toolbar").get_by_role("button", name="Hold").click()
    expect(page.get_by_role("status").last).to_contain_text("2 jobs held")
    assert sorted(crowd.changes) == ["/jobs/sweep-00000/hold", "/jobs/sweep-00002/hold"]


def test_closing_the_tab_does_not_stop_it_and_another_tab_shows_its_progress(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(WAITING)
    page = _hold_all(open_crowd, crowd)
    tab = page.context.new_page()
    page.close()
    tab.goto(page.url)
    expect(_progress(tab)).to_contain_text(f"Hold: {AT_ONCE} of {WAITING} jobs")
    assert crowd.gate is not None
    crowd.gate.set()
    eventually(lambda: len(crowd.changes), lambda count: count == WAITING)
    expect(tab.get_by_role("status").last).to_contain_text(f"{WAITING} jobs held")
    expect(_progress(tab)).to_have_count(0)


def test_it_can_be_stopped_and_says_how_many_jobs_it_changed(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(WAITING)
    page = _hold_all(open_crowd, crowd)
    _progress(page).get_by_role("button", name="Stop").click()
    expect(_progress(page)).to_contain_text("stops after the current call")
    assert crowd.gate is not None
    crowd.gate.set()
    expect(page.get_by_role("status").last).to_contain_text(re.compile(rf"{2 * AT_ONCE} of {WAITING} jobs held"))
    assert len(crowd.changes) == 2 * AT_ONCE


def test_a_change_of_priorities_names_the_jobs_that_it_would_stop(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    crowd.victims = {"sweep-00000": ["run-3"], "sweep-00001": ["run-5"]}
    page = open_crowd(crowd)
    for name in crowd.victims:
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.get_by_role("toolbar").get_by_role("button", name="Priority…").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("No running job would be stopped at once.")
    question.get_by_role("spinbutton", name="Priority").fill("9")
    expect(question).to_contain_text("Stops run-3, run-5 at once.")
    assert crowd.changes == []
    question.get_by_role("button", name="Set the priority of 2 jobs").click()
    expect(page.get_by_role("status").last).to_contain_text("2 jobs now with priority 9")


def _hold_two_on_the_hosted_page(open_crowd: OpenCrowd) -> Page:
    """Holds two jobs; the queue does not answer."""
    crowd = Crowd(3)
    page = open_crowd(crowd)
    as_hosted(page, crowd)
    page.route("**/change-jobs", lambda _: None)
    for name in ("sweep-00000", "sweep-00002"):
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.get_by_role("toolbar").get_by_role("button", name="Hold").click()
    expect(_progress(page)).to_contain_text("Keep this tab open.")
    return page


def test_on_the_hosted_page_the_tab_must_stay_open_until_the_action_ends(open_crowd: OpenCrowd) -> None:
    page = _hold_two_on_the_hosted_page(open_crowd)
    with page.expect_event("dialog") as question:
        page.once("dialog", lambda dialog: dialog.accept())
        page.reload()
    assert question.value.type == "beforeunload"
    page.unroute_all(behavior="ignoreErrors")


def test_signing_out_during_an_action_asks_nothing_because_the_screen_is_empty_already(open_crowd: OpenCrowd) -> None:
    page = _hold_two_on_the_hosted_page(open_crowd)
    questions: list[str] = []

    def accept(dialog: Dialog) -> None:
        questions.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    page.route("**/logout?**", lambda route: route.fulfill(body="You have signed out."))
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You have signed out.")).to_be_visible()
    assert questions == []
    page.unroute_all(behavior="ignoreErrors")
