"""A queue that does not answer is visible: the age of what is shown, a banner, and buttons that show progress."""

import json
import re
from collections.abc import Callable, Iterator
from threading import Event

import pytest
from playwright.sync_api import Page, Route, expect

from page.crowd import Crowd
from unit.sagequeue.builders.jobs import a_job, an_attempt

OpenCrowd = Callable[[Crowd], Page]


@pytest.fixture
def hung(open_crowd: OpenCrowd) -> Iterator[Page]:
    """A page that was up to date when the API stopped to answer, with a clock that a test moves."""
    page = open_crowd(Crowd(3))
    page.clock.install()
    page.reload()
    expect(page.get_by_role("row", name="sweep-00002")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^updated \d s ago$"))).to_be_visible()

    def hang(route: Route) -> None:
        """Answers nothing."""

    page.route("**/api/**", hang)
    yield page
    page.unroute_all(behavior="ignoreErrors")


def test_a_hung_api_shows_its_age_in_amber_after_ten_seconds_and_in_a_banner_after_twenty(hung: Page) -> None:
    hung.clock.run_for(11_000)
    expect(hung.get_by_text(re.compile(r"^updated 1\d s ago$"))).to_have_class(re.compile("late"))
    expect(hung.get_by_role("alert")).to_have_count(0)
    hung.clock.run_for(10_000)
    expect(hung.get_by_role("alert")).to_contain_text(re.compile(r"has not answered for 2\d s"))


_LOG_REFUSED = {"error": "AwsError", "message": "logs:GetLogEvents is denied.", "remedy": "Ask an administrator."}


def _with_refused_log(open_crowd: OpenCrowd, **refusal: str) -> Page:
    crowd = Crowd(0)
    crowd.shown["resnet"] = a_job("running", "running", attempts=[an_attempt()], actions=[])
    page = open_crowd(crowd)
    page.clock.install()
    answer = json.dumps({**_LOG_REFUSED, **refusal})
    page.route("**/api/jobs/resnet/log*", lambda route: route.fulfill(status=403, body=answer))
    page.goto(f"{page.url.partition('#')[0]}#/job/resnet")
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="is denied")).to_be_visible()
    return page


def test_a_refused_log_does_not_make_the_view_late_and_hides_no_hung_api(open_crowd: OpenCrowd) -> None:
    page = _with_refused_log(open_crowd)
    for _ in range(6):
        page.clock.run_for(5_000)
        page.wait_for_load_state("networkidle")
    expect(page.get_by_text(re.compile("^no answer for"))).to_have_count(0)
    expect(page.get_by_text(re.compile(r"^updated \d s ago$"))).to_have_class(re.compile("quiet"))
    page.route("**/api/**", lambda _: None)
    page.clock.run_for(25_000)
    expect(page.get_by_role("alert").filter(has_text=re.compile(r"has not answered for [23]\d s"))).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")


def test_ages_stop_while_the_api_is_hung(hung: Page) -> None:
    hung.clock.run_for(12_000)
    age = hung.get_by_role("row", name="sweep-00002").locator("td.age")
    expect(hung.get_by_text(re.compile(r"^updated 1\d s ago$"))).to_have_class(re.compile("late"))
    before = age.inner_text()
    hung.clock.run_for(90_000)
    expect(hung.get_by_text(re.compile(r"^updated 1 min 4\d s ago$"))).to_be_visible()
    expect(age).to_have_text(before)


def test_an_answer_ends_the_banner(hung: Page) -> None:
    hung.clock.run_for(25_000)
    expect(hung.get_by_role("alert")).to_be_visible()
    hung.unroute_all(behavior="ignoreErrors")
    hung.clock.run_for(60_000)  # the unanswered calls are given up, and asked again
    expect(hung.get_by_role("alert")).to_have_count(0)


def test_a_pressed_button_shows_that_it_works_until_the_queue_answers(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    crowd.gate = Event()
    page = open_crowd(crowd)
    page.get_by_role("checkbox", name="Select sweep-00001").check()
    page.get_by_role("toolbar").get_by_role("button", name="Hold").click()
    button = page.get_by_role("toolbar").locator("button[aria-busy='true']")
    expect(button).to_contain_text("Hold")
    crowd.gate.set()
    expect(page.get_by_role("status").last).to_contain_text("sweep-00001 held")
    expect(button).to_have_count(0)
